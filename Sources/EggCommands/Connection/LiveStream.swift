import EggProtocol
import Glibc
import Varlink

/// A stream of eggd's that is asked for anew when eggd has ended and runs again.
///
/// It waits in one poll(2) for messages, for a moment, and for the end of whoever reads the output; only while eggd is
/// away it tries again every now and then, after 0.1 s at first and 5 s at most.
final class LiveStream<Call: ScheduleMethod> {
  /// What came of waiting.
  enum Event {
    /// eggd says something.
    case message(Call.Reply)
    /// eggd refuses the call, or ends the stream, for this reason; ``LiveStream/begin()`` asks anew.
    case refused(ScheduleError)
    /// eggd has been away for five seconds; said once.
    case away
    /// eggd is there again: the messages of a new stream follow, from its start.
    case back
    /// The moment is there.
    case time
    /// Nobody reads the output any more.
    case readerGone
  }

  private let surroundings: Surroundings
  private let path: String
  /// What is asked from now on, whenever it has to be asked anew.
  var call: Call
  private var client: ScheduleClient?
  /// Whether the stream is another one than that of the last message.
  private var isAnew = false
  private var first: Call.Reply?
  private var lost: (since: ContinuousClock.Instant, isTold: Bool)?
  private var retry: (at: ContinuousClock.Instant, pause: Duration)?

  /// Connects, and asks. Throws ``Failure`` where eggd is not there; that it goes later is no error.
  init(_ surroundings: Surroundings, _ call: Call) throws {
    self.surroundings = surroundings
    self.call = call
    path = try surroundings.socketPath()
    do {
      try connect()
      if let client {
        surroundings.watchUnit(client)
        try client.awaitFirst()
      }
    } catch {
      throw Connection.failure(of: error, precondition: nil, surroundings)
    }
  }

  /// Asks anew on the connection, after ``Event/refused(_:)``.
  func begin() throws {
    do {
      try client?.begin(call)
    } catch {
      try lose(error)
    }
  }

  /// Waits for the next event, until the moment where one is given. Throws ``Failure``.
  func next(until deadline: ContinuousClock.Instant? = nil) throws -> Event {
    while true {
      if let message = first {
        first = nil
        return .message(message)
      }
      if let client {
        do {
          if let taken = try client.takeArrived(of: Call.self) { return arrived(taken.reply) }
          if let event = wait(for: client.connection.descriptor, until: deadline) { return event }
        } catch .refused(let error) {
          return .refused(error)
        } catch {
          try lose(error)
        }
      } else if let event = try tryAgain(until: deadline) {
        return event
      }
    }
  }

  private func arrived(_ message: Call.Reply) -> Event {
    lost = nil
    retry = nil
    guard isAnew else { return .message(message) }
    isAnew = false
    first = message
    return .back
  }

  private func connect() throws(ScheduleClientError) {
    let client = try ScheduleClient(path: path, timeout: surroundings.patience(0))
    try client.begin(call)
    self.client = client
  }

  /// Goes on without a connection that has ended; any other error is thrown.
  private func lose(_ error: ScheduleClientError) throws {
    switch error {
    case .connection(.disconnected), .connection(.unreachable), .connection(.timedOut): break
    default: throw Connection.failure(of: error, precondition: nil, surroundings)
    }
    client = nil
    isAnew = true
    let now = ContinuousClock.now
    if lost == nil { lost = (now, false) }
    let pause = min(retry.map { $0.pause * 2 } ?? .milliseconds(100), .seconds(5))
    retry = (now + pause, pause)
  }

  private func tryAgain(until deadline: ContinuousClock.Instant?) throws -> Event? {
    let now = ContinuousClock.now
    if let lost, !lost.isTold, now >= lost.since + .seconds(5) {
      self.lost?.isTold = true
      return .away
    }
    if let retry, now < retry.at {
      let isEarlier = deadline.map { $0 < retry.at } ?? false
      let event = wait(for: -1, until: isEarlier ? deadline : retry.at)
      if case .time = event, !isEarlier { return nil }
      return event
    }
    do {
      try connect()
    } catch {
      try lose(error)
    }
    return nil
  }

  /// nil when there is something to be read, or to be looked at again.
  private func wait(for socket: Int32, until deadline: ContinuousClock.Instant?) -> Event? {
    // poll(2) leaves out negative descriptors.
    var entries = [
      pollfd(fd: socket, events: Int16(POLLIN), revents: 0),
      pollfd(fd: surroundings.reader ?? -1, events: 0, revents: 0),
    ]
    var milliseconds: Int32 = -1
    if let deadline {
      let left = max(ContinuousClock.now.duration(to: deadline), .zero)
      let (seconds, attoseconds) = min(left, .seconds(86_400)).components
      milliseconds = Int32(seconds * 1_000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    }
    let count = poll(&entries, 2, milliseconds)
    if count > 0, entries[1].revents != 0 { return .readerGone }
    if count == 0, let deadline, ContinuousClock.now >= deadline { return .time }
    return nil
  }
}
