import EggProtocol

/// The subscription; reconnects when it is lost.
struct WatchFeed {
  private let path: String
  private var client: ScheduleClient?
  /// The last attempt; there is at most one a second.
  private var attempt: ContinuousClock.Instant?

  init(path: String) { self.path = path }

  /// nil without a connection.
  var descriptor: Int32? { client?.connection.descriptor }

  /// When to reconnect; nil while connected.
  var retry: ContinuousClock.Instant? {
    guard client == nil else { return nil }
    return attempt.map { $0 + .seconds(1) } ?? .now
  }

  /// Connects and subscribes.
  mutating func connect() throws(ScheduleClientError) {
    attempt = .now
    let client = try ScheduleClient(path: path, timeout: .seconds(60))
    try client.begin(SubscribeCall())
    self.client = client
  }

  /// Waits for the first message; throws if the unit cannot start.
  func awaitFirst(_ surroundings: Surroundings) throws(ScheduleClientError) {
    guard let client else { return }
    surroundings.watchUnit(client)
    try client.awaitFirst()
  }

  /// The next message, if it has arrived. Throws if the connection is lost.
  mutating func next() throws(ScheduleClientError) -> SubscribeReply? {
    do throws(ScheduleClientError) {
      guard let message = try client?.takeArrived(of: SubscribeCall.self) else { return nil }
      if message.isLast { close() }
      return message.reply
    } catch {
      close()
      throw error
    }
  }

  /// Ends the connection, to be reconnected later.
  mutating func close() { client = nil }
}
