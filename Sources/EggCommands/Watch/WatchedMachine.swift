import EggProtocol
import Gettext

/// One eggd on the screen: its changes, and the requests to it.
struct WatchedMachine {
  let surroundings: Surroundings
  var feed: WatchFeed
  var commands: WatchCommands
  /// Whether unread messages may have arrived.
  var isBehind = true

  init(_ surroundings: Surroundings) throws {
    self.surroundings = surroundings
    let daemon = try surroundings.daemon()
    feed = WatchFeed(daemon)
    commands = WatchCommands(daemon, zone: try surroundings.zoneName())
  }

  /// Throws ``Failure`` if eggd is not running.
  mutating func connect() throws {
    do {
      try feed.connect()
      try feed.awaitFirst(surroundings)
      try commands.prepare()
    } catch {
      throw Connection.failure(of: error, precondition: nil, surroundings)
    }
  }

  /// Connects again if it is time to.
  mutating func connectAgain() {
    guard let retry = feed.retry, retry <= .now else { return }
    do {
      try feed.connect()
      isBehind = true
    } catch {
      // The connection is tried again, and the screen says so.
    }
  }

  /// Why the list cannot be followed.
  func absence(after error: ScheduleClientError) -> String {
    guard case .connection = error else { return Connection.failure(ofReading: error, surroundings).message }
    return surroundings.host.map { tr("\($0.name.text) cannot be reached") } ?? tr("eggd is not running")
  }

  func failure(of error: ScheduleClientError, _ request: WatchRequest) -> Failure {
    Connection.failure(of: error, precondition: request.precondition, surroundings)
  }
}
