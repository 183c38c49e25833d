import EggProtocol
import Gettext

/// One eggd on the screen: its changes, and on a connection of their own the requests to it.
struct WatchedMachine {
  let surroundings: Surroundings
  private let daemon: DaemonAddress
  /// The caller's.
  private let zone: String?
  /// The subscription; nil while it is lost.
  private var feed: ScheduleClient?
  /// When it was last connected; attempts are at least ``DaemonAddress/pause`` apart.
  private var attempt = ContinuousClock.now
  /// For requests.
  private var client: ScheduleClient?
  /// Their replies come in this order.
  private var unanswered: [WatchRequest] = []
  /// Whether unread messages may have arrived.
  var isBehind = true

  init(_ surroundings: Surroundings) throws {
    self.surroundings = surroundings
    daemon = try surroundings.daemon()
    zone = try surroundings.zoneName()
  }

  /// What can be read when eggd has sent something.
  var descriptors: [Int32] {
    [feed, awaitsReply ? client : nil].compactMap { $0?.connection.descriptor }
  }

  /// Whether a request was sent that is not answered.
  var awaitsReply: Bool { client != nil && !unanswered.isEmpty }

  /// When to reconnect; nil while connected.
  var retry: ContinuousClock.Instant? { feed == nil ? attempt + daemon.pause : nil }

  /// Throws ``Failure`` if eggd is not running.
  mutating func connect() throws {
    do {
      let client = try subscribed(to: daemon.connect(timeout: .seconds(60)))
      surroundings.watchUnit(client)
      // Throws if the unit cannot start.
      try client.awaitFirst()
      // Another machine may ask for a password.
      if case .host(let host) = daemon { self.client = try host.connect() }
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

  /// Sends a request; connects first if needed.
  mutating func send(_ request: WatchRequest) throws(ScheduleClientError) {
    // eggd closes idle connections when it needs room for others.
    if unanswered.isEmpty, client?.connection.hasEnded == true { client = nil }
    if client == nil { client = try daemon.connectAgain(timeout: .seconds(60)) }
    try client?.send(request.call(zone: zone))
    unanswered.append(request)
  }

  /// The earliest request's outcome, if it has arrived. An error belongs to that request.
  mutating func nextOutcome() -> (request: WatchRequest, Result<WatchOutcome, ScheduleClientError>)? {
    guard let client, let request = unanswered.first else { return nil }
    do throws(ScheduleClientError) {
      guard let reply = try client.takeReply(to: request.call(zone: nil)) else { return nil }
      unanswered.removeFirst()
      return (request, .success(request.outcome(of: reply)))
    } catch {
      unanswered.removeFirst()
      if case .connection = error { forgetRequests() }
      return (request, .failure(error))
    }
  }

  /// Ends their connection. Unanswered requests may or may not have been served.
  mutating func forgetRequests() {
    client = nil
    unanswered = []
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
