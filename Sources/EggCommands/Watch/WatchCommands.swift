import EggProtocol

/// Requests on a connection of their own. Replies come in the order of the requests.
struct WatchCommands {
  private let daemon: DaemonAddress
  private let zone: String?
  private var client: ScheduleClient?
  private var unanswered: [WatchRequest] = []

  /// `zone` is the caller's.
  init(_ daemon: DaemonAddress, zone: String?) {
    self.daemon = daemon
    self.zone = zone
  }

  /// Connects to another machine, which may ask for a password.
  mutating func prepare() throws(ScheduleClientError) {
    if case .host(let host) = daemon { client = try host.connect() }
  }

  /// The socket to wait for; nil if no reply is due.
  var descriptor: Int32? { unanswered.isEmpty ? nil : client?.connection.descriptor }

  /// Sends a request; connects first if needed.
  mutating func send(_ request: WatchRequest) throws(ScheduleClientError) {
    // eggd closes idle connections when it needs room for others.
    if unanswered.isEmpty, client?.connection.hasEnded == true { client = nil }
    let client: ScheduleClient
    if let connected = self.client {
      client = connected
    } else {
      client = try daemon.connectAgain(timeout: .seconds(60))
    }
    self.client = client
    try client.send(request.call(zone: zone))
    unanswered.append(request)
  }

  /// The earliest request's outcome, if it has arrived. An error belongs to that request.
  mutating func next() -> (request: WatchRequest, Result<WatchOutcome, ScheduleClientError>)? {
    guard let client, let request = unanswered.first else { return nil }
    do throws(ScheduleClientError) {
      guard let reply = try client.takeReply(to: request.call(zone: nil)) else { return nil }
      unanswered.removeFirst()
      return (request, .success(request.outcome(of: reply)))
    } catch {
      unanswered.removeFirst()
      if case .connection = error { close() }
      return (request, .failure(error))
    }
  }

  /// Ends the connection. Unanswered requests may or may not have been served.
  mutating func close() {
    client = nil
    unanswered = []
  }
}
