import EggProtocol

/// Requests on a connection of their own; replies are taken as they come, in the order of the requests.
struct WatchCommands {
  private let path: String
  private let zone: String?
  private var client: ScheduleClient?
  private var unanswered: [WatchRequest] = []

  /// To the eggd that listens there, from somebody in that zone.
  init(path: String, zone: String?) {
    self.path = path
    self.zone = zone
  }

  /// Where a reply comes from; nil where none is awaited.
  var descriptor: Int32? { unanswered.isEmpty ? nil : client?.connection.descriptor }

  /// Sends a request; connects first where that is needed.
  mutating func send(_ request: WatchRequest) throws(ScheduleClientError) {
    // Eggd closes idle connections when others need them.
    if unanswered.isEmpty, client?.connection.hasEnded == true { client = nil }
    let client: ScheduleClient
    if let connected = self.client {
      client = connected
    } else {
      client = try ScheduleClient(path: path, timeout: .seconds(60))
    }
    self.client = client
    try request.send(on: client, zone: zone)
    unanswered.append(request)
  }

  /// What came of the earliest request that has no reply yet: nil where nothing has come. An error is with the
  /// request that it is about.
  mutating func next() -> (request: WatchRequest, Result<WatchOutcome, ScheduleClientError>)? {
    guard let client, let request = unanswered.first else { return nil }
    do throws(ScheduleClientError) {
      guard let outcome = try request.outcome(on: client) else { return nil }
      unanswered.removeFirst()
      return (request, .success(outcome))
    } catch {
      unanswered.removeFirst()
      if case .connection = error { close() }
      return (request, .failure(error))
    }
  }

  /// Ends the connection; what is not answered is not known to be done.
  mutating func close() {
    client = nil
    unanswered = []
  }
}
