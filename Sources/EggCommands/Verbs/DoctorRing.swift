import EggProtocol
import EggTime
import Gettext
import Glibc

/// `eggctl doctor --ring`: rings a test alarm, asks whether it was seen and heard, and deletes it.
struct TestRing {
  private static let limit = Duration.seconds(10)
  /// Looks are 50 ms apart; a notification server answers within a few ms.
  private static let looks = 20

  private let surroundings: Surroundings
  private let connection: Connection

  init(_ surroundings: Surroundings) throws {
    self.surroundings = surroundings
    connection = try Connection(surroundings)
  }

  /// Rings the test alarm. Without a terminal it does not ask, and reports what eggd knows.
  func findings() throws -> [Finding] {
    let asked = surroundings.now()
    let call = ScheduleCall(expression: "1s", zone: try surroundings.zoneName(), label: "test")
    let number = try connection.call(call).alarm.number
    // Whatever happened, the test alarm is not needed any more.
    defer { _ = try? connection.call(DeleteCall(WireSelection(numbers: [number]))) }
    guard try rings(number, since: asked) else {
      return [
        Finding(
          "ring", .wrong, "the test alarm did not ring within 10 s",
          command: "journalctl --user -t eggd -n 20")
      ]
    }
    let isShown = try isShown(number)
    let (seen, heard) = (answer(tr("Did you see the test alarm?")), answer(tr("Did you hear it?")))
    // A player without a sound server gives up within this time.
    if heard == nil { poll(nil, 0, 300) }
    let status = try connection.read(StatusCall())
    return [Self.seen(seen, isShown: isShown, status)] + (Self.heard(heard, status).map { [$0] } ?? [])
  }

  private func rings(_ number: Int64, since asked: Instant) throws -> Bool {
    var unread = surroundings
    unread.reader = nil
    let stream = try LiveStream(unread, WaitCall(numbers: [number], since: asked))
    let deadline = ContinuousClock.now + Self.limit
    while true {
      switch try stream.next(until: deadline) {
      case .message(let reply) where reply.rang.contains(number): return true
      case .time, .refused: return false
      case .message, .away, .back, .readable, .readerGone: break
      }
    }
  }

  /// Whether a notification server accepted the bubble.
  private func isShown(_ number: Int64) throws -> Bool {
    guard try connection.read(StatusCall()).desktop == .shown else { return false }
    for look in 1...Self.looks {
      if try connection.read(ShowCall(number: number)).alarm.latest?.shownAt != nil { return true }
      if look < Self.looks { poll(nil, 0, 50) }
    }
    return false
  }

  /// nil if nobody can be asked or answers.
  private func answer(_ question: String) -> Bool? {
    guard let ask = surroundings.ask else { return nil }
    while let answer = ask("\(question) [y/n] ") {
      switch answer.lowercased() {
      case "y", "yes": return true
      case "n", "no": return false
      default: continue
      }
    }
    return nil
  }

  private static func seen(_ seen: Bool?, isShown: Bool, _ status: StatusReply) -> Finding {
    let server = status.server?.visible ?? tr("the notification server")
    switch (seen, isShown) {
    case (true?, _): return Finding("seen", .ok, "you saw the test alarm")
    case (nil, true): return Finding("seen", .ok, "\(server) showed the test alarm")
    case (false?, true):
      return Finding(
        "seen", .wrong, "\(server) accepted the test alarm, but you did not see it: is 'do not disturb' on?",
        command: server.contains("dunst") ? "dunstctl set-paused false" : nil)
    case (_, false) where status.desktop == .shown:
      return Finding("seen", .wrong, "\(server) did not answer within 1 s: restart it")
    case (_, false):
      return Finding("seen", .wrong, "nobody showed the test alarm: start a notification server")
    }
  }

  /// nil if the finding on sound already says it.
  private static func heard(_ heard: Bool?, _ status: StatusReply) -> Finding? {
    switch (heard, status.sound) {
    case (nil, _): nil
    case (true?, _): Finding("heard", .ok, "you heard the test alarm")
    case (false?, .server?):
      Finding(
        "heard", .wrong,
        "the notification server should have played the sound: check its settings and the volume",
        command: "pactl list short sinks")
    case (false?, .player?):
      Finding(
        "heard", .wrong, "the sound server accepted the sound: check the volume and the output",
        command: "pactl list short sinks")
    case (false?, _): Finding("heard", .wrong, "nobody played a sound")
    }
  }
}
