import EggProtocol
import Gettext

/// One eggd on the screen: its changes, and the requests to it.
struct WatchedMachine {
  let surroundings: Surroundings
  private let daemon: DaemonAddress
  /// The subscription; nil while it is lost.
  private var feed: ScheduleClient?
  /// When it was last connected; attempts are at least ``DaemonAddress/pause`` apart.
  private var attempt = ContinuousClock.now
  var commands: WatchCommands
  /// Whether unread messages may have arrived.
  var isBehind = true

  init(_ surroundings: Surroundings) throws {
    self.surroundings = surroundings
    daemon = try surroundings.daemon()
    commands = WatchCommands(daemon, zone: try surroundings.zoneName())
  }

  /// What can be read when eggd has sent something.
  var descriptors: [Int32] { [feed?.connection.descriptor, commands.descriptor].compactMap(\.self) }

  /// When to reconnect; nil while connected.
  var retry: ContinuousClock.Instant? { feed == nil ? attempt + daemon.pause : nil }

  /// Throws ``Failure`` if eggd is not running.
  mutating func connect() throws {
    do {
      let client = try subscribed(to: daemon.connect(timeout: .seconds(60)))
      surroundings.watchUnit(client)
      // Throws if the unit cannot start.
      try client.awaitFirst()
      try commands.prepare()
    } catch {
      throw Connection.failure(of: error, precondition: nil, surroundings)
    }
  }

  /// Connects again if it is time to.
  mutating func connectAgain() {
    guard let retry, retry <= .now else { return }
    attempt = .now
    do {
      _ = try subscribed(to: daemon.connectAgain(timeout: .seconds(60)))
      isBehind = true
    } catch {
      // The connection is tried again, and the screen says so.
    }
  }

  private mutating func subscribed(to client: ScheduleClient) throws(ScheduleClientError) -> ScheduleClient {
    try client.begin(SubscribeCall())
    feed = client
    return client
  }

  /// The next message, if it has arrived. Throws if the connection is lost.
  mutating func nextMessage() throws(ScheduleClientError) -> SubscribeReply? {
    do throws(ScheduleClientError) {
      guard let message = try feed?.takeArrived(of: SubscribeCall.self) else { return nil }
      if message.isLast { feed = nil }
      return message.reply
    } catch {
      feed = nil
      throw error
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
