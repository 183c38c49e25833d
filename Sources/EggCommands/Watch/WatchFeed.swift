import EggProtocol

/// The subscription; reconnects when it is lost.
struct WatchFeed {
  private let daemon: DaemonAddress
  private var client: ScheduleClient?
  /// The last attempt; they are at least ``DaemonAddress/pause`` apart.
  private var attempt: ContinuousClock.Instant?

  init(_ daemon: DaemonAddress) { self.daemon = daemon }

  /// nil without a connection.
  var descriptor: Int32? { client?.connection.descriptor }

  /// When to reconnect; nil while connected.
  var retry: ContinuousClock.Instant? {
    guard client == nil else { return nil }
    return attempt.map { $0 + daemon.pause } ?? .now
  }

  mutating func connect() throws(ScheduleClientError) {
    let isFirst = attempt == nil
    attempt = .now
    let client =
      try isFirst ? daemon.connect(timeout: .seconds(60)) : daemon.connectAgain(timeout: .seconds(60))
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
