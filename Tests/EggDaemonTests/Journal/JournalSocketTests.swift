import EggStore
import Alarms
import Dispatch
import EggTestSupport
import EggTime
import Synchronization
import Testing

@testable import EggDaemon
@testable import Ringing

@Suite struct JournalSocketTests {
  private let journald: ListeningJournald
  private var path: String { journald.path }

  init() throws { journald = try ListeningJournald() }

  private func received() -> [UInt8]? { journald.received() }

  private func message(_ text: String = "Wait!", label: String = "two") -> NativeMessage {
    var message = NativeMessage()
    message.begin(.rang, .notice, text)
    message.add("EGG_LABEL", label)
    return message
  }

  @Test("A value of one line follows an equals sign")
  func plain() {
    #expect(JournalSocket(path: path).send(message()))
    let expected =
      "MESSAGE=Wait!\nMESSAGE_ID=\(MessageID.rang.rawValue)\nPRIORITY=5\nSYSLOG_IDENTIFIER=eggd\nEGG_LABEL=two\n"
    #expect(received().map { String(decoding: $0, as: UTF8.self) } == expected)
  }

  @Test("A value of many lines has a length and forges no field")
  func forged() {
    #expect(JournalSocket(path: path).send(message(label: "One\nPRIORITY=0")))
    let tail = Array("EGG_LABEL\n".utf8) + [14, 0, 0, 0, 0, 0, 0, 0] + Array("One\nPRIORITY=0\n".utf8)
    #expect(received()?.suffix(tail.count).elementsEqual(tail) == true)
  }

  @Test("An entry that would block, is too long, or has no receiver is refused at once")
  func refused() {
    let sender = JournalSocket(path: path)
    var sent = 0
    while sent < 100_000, sender.send(message()) { sent += 1 }
    #expect(sent > 0 && sent < 100_000)
    while received() != nil {}
    #expect(sender.send(message()))
    #expect(!sender.send(message(String(repeating: "egg", count: 1_000_000))))
    #expect(!JournalSocket(path: "/nonexistent/socket").send(message()))
    #expect(!JournalSocket(path: String(repeating: "/egg", count: 100)).send(message()))
  }

  @Test("A ring is written before the call returns if nothing is queued")
  func ring() {
    let clock = FakeClock()
    let queue = DispatchQueue(label: "journal")
    let journal = Journal(queue: queue, clock: clock, socket: path)
    let card = AlarmCard(id: AlarmID(), expression: "5s")
    let entry = Notice(
      occurrence: 1, number: 7, card: card, dueAt: clock.read().wall, lateness: .zero, reason: nil)
    let written = Mutex<Instant?>(nil)
    // The blocked queue is not needed.
    queue.sync { journal.ring(entry) { at in written.withLock { $0 = at } } }
    #expect(written.withLock { $0 } == clock.read().wall)
    #expect(
      received().map { String(decoding: $0, as: UTF8.self) }?.contains("\nEGG_ALARM_NUMBER=7\n") == true)
  }

  @Test("Many rings are written in order and each is reported, however few journald takes at once")
  func many() throws {
    let clock = FakeClock()
    let journal = Journal(queue: DispatchQueue(label: "journal"), clock: clock, socket: path)
    let card = AlarmCard(id: AlarmID(), expression: "5s")
    let count = 2_000
    let entries = (0..<count).map {
      Notice(
        occurrence: 1, number: Int64($0), card: card, dueAt: clock.read().wall, lateness: .zero, reason: nil)
    }
    let told = Mutex<[Int]>([])
    let atOnce = journal.ring(entries) { first, moments in
      told.withLock { $0 += first..<first + moments.count }
    }
    #expect(atOnce.count < count && journal.isBusy)
    told.withLock { $0 += atOnce.indices }
    var numbers: [Int] = []
    _ = eventually {
      while let message = received() {
        let lines = String(decoding: message, as: UTF8.self).split(separator: "\n")
        numbers += lines.filter { $0.hasPrefix("EGG_ALARM_NUMBER=") }.compactMap { Int($0.dropFirst(17)) }
      }
      return numbers.count < count ? nil : true
    }
    #expect(numbers == Array(0..<count))
    journal.flush()
    #expect(told.withLock { $0.sorted() } == Array(0..<count))
  }
}
