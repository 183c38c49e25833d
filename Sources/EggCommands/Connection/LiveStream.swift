import EggProtocol
import Glibc
import LinuxIO
import Varlink

/// A stream of messages from eggd that survives restarts of eggd.
///
/// One poll(2) waits for messages, for a moment, and for the reader of the output to go. Only while eggd is
/// away does it retry: after 0.1 s at first, then at most every 5 s.
final class LiveStream<Call: ScheduleMethod> {
  enum Event {
    case message(Call.Reply)
    /// eggd refused the call or ended the stream; ``LiveStream/begin()`` starts it again.
    case refused(ScheduleError)
    /// eggd has been away for five seconds; reported once.
    case away
    /// eggd is back: a new stream follows, from its start.
    case back
    case time
    /// ``LiveStream/alsoWatched`` can be read.
    case readable
    case readerGone
  }

  private let surroundings: Surroundings
  private let daemon: DaemonAddress
  /// The call for every new stream.
  var call: Call
  /// A descriptor that ends a wait when it can be read.
  var alsoWatched: Int32?
  private var client: ScheduleClient?
  private var first: Call.Reply?
  /// nil while messages arrive.
  private var absence: (since: ContinuousClock.Instant, isTold: Bool, retry: ContinuousClock.Instant)?
  /// Before the next retry.
  private var pause = Duration.zero

  /// Connects and begins the stream. Throws ``Failure`` if eggd is away now; later absences are events.
  init(_ surroundings: Surroundings, _ call: Call, alsoWatching other: Int32? = nil) throws {
    self.surroundings = surroundings
    self.call = call
    alsoWatched = other
    daemon = try surroundings.daemon()
    do {
      let client = try daemon.connect(timeout: surroundings.patience(0))
      try client.begin(call)
      surroundings.watchUnit(client)
      try client.awaitFirst()
      self.client = client
    } catch {
      throw Connection.failure(of: error, precondition: nil, surroundings)
    }
  }

  /// Begins the stream again after ``Event/refused(_:)``.
  func begin() throws {
    do {
      try client?.begin(call)
    } catch {
      try lose(error)
    }
  }

  /// Waits for the next event, until `deadline` if given. Throws ``Failure``.
  func next(until deadline: ContinuousClock.Instant? = nil) throws -> Event {
    while true {
      if let message = first {
        first = nil
        return .message(message)
      }
      if let client {
        do {
          if let taken = try client.takeArrived(of: Call.self) { return arrived(taken.reply) }
          if isAwayNow { return .away }
          let alarm = [deadline, whenAway].compactMap(\.self).min()
          let event = wait(for: client.connection.descriptor, until: alarm)
          if case .time = event, alarm != deadline { continue }
          if let event { return event }
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

  /// When the absence is to be reported. Another machine may take long to refuse a connection.
  private var whenAway: ContinuousClock.Instant? {
    absence.flatMap { $0.isTold ? nil : $0.since + .seconds(5) }
  }

  /// Whether the absence is reported now.
  private var isAwayNow: Bool {
    guard let whenAway, whenAway <= .now else { return false }
    absence?.isTold = true
    return true
  }

  private func arrived(_ message: Call.Reply) -> Event {
    guard absence != nil else { return .message(message) }
    absence = nil
    first = message
    return .back
  }

  /// Continues without a connection if it has ended; throws any other error.
  private func lose(_ error: ScheduleClientError) throws {
    switch error {
    case .connection(.disconnected), .connection(.unreachable), .connection(.timedOut): break
    default: throw Connection.failure(of: error, precondition: nil, surroundings)
    }
    client = nil
    let now = ContinuousClock.now
    pause = absence == nil ? .milliseconds(100) : min(pause * 2, .seconds(5))
    absence = (absence?.since ?? now, absence?.isTold ?? false, now + pause)
  }

  private func tryAgain(until deadline: ContinuousClock.Instant?) throws -> Event? {
    if isAwayNow { return .away }
    if let retry = absence?.retry, .now < retry {
      let isEarlier = deadline.map { $0 < retry } ?? false
      let event = wait(for: -1, until: isEarlier ? deadline : retry)
      if case .time = event, !isEarlier { return nil }
      return event
    }
    do {
      let client = try daemon.connectAgain(timeout: surroundings.patience(0))
      try client.begin(call)
      self.client = client
    } catch {
      try lose(error)
    }
    return nil
  }

  /// nil if there is something to read or to check again.
  private func wait(for socket: Int32, until deadline: ContinuousClock.Instant?) -> Event? {
    // poll(2) ignores negative descriptors.
    var entries = [
      pollfd(fd: socket, events: Int16(POLLIN), revents: 0),
      pollfd(fd: surroundings.reader ?? -1, events: 0, revents: 0),
      pollfd(fd: alsoWatched ?? -1, events: Int16(POLLIN), revents: 0),
    ]
    let count = poll(&entries, 3, deadline?.pollTime ?? -1)
    if count > 0, entries[1].revents != 0 { return .readerGone }
    if count > 0, entries[2].revents != 0 { return .readable }
    if count == 0, let deadline, ContinuousClock.now >= deadline { return .time }
    return nil
  }
}

extension Surroundings {
  /// Takes the events of a stream until the reader is gone.
  func follow<Call: ScheduleMethod>(
    _ call: Call, until deadline: () throws -> ContinuousClock.Instant? = { nil },
    each: (LiveStream<Call>.Event, LiveStream<Call>) throws -> Void
  ) throws {
    // A closed output ends it in order: poll(2) or the next write notices it.
    if reader != nil { signal(SIGPIPE, SIG_IGN) }
    let stream = try LiveStream(self, call)
    do {
      while true {
        let event = try stream.next(until: try deadline())
        if case .readerGone = event { return }
        try each(event, stream)
      }
    } catch let failure as Failure where failure == .unwritable(EPIPE) {
      return
    }
  }
}
