import EggProtocol

/// The subscription, connected again whenever it was lost.
struct WatchFeed {
  private let path: String
  private var client: ScheduleClient?
  /// No more than one attempt a second.
  private var attempt: ContinuousClock.Instant?

  /// Of the eggd that listens there.
  init(path: String) { self.path = path }

  /// The socket; nil where there is no connection.
  var descriptor: Int32? { client?.connection.descriptor }

  /// When to connect again; nil where there is a connection.
  var retry: ContinuousClock.Instant? {
    guard client == nil else { return nil }
    return attempt.map { $0 + .seconds(1) } ?? .now
  }

  /// Connects and asks for the list and its changes.
  mutating func connect() throws(ScheduleClientError) {
    attempt = .now
    let client = try ScheduleClient(path: path, timeout: .seconds(60))
    try client.begin(SubscribeCall())
    self.client = client
  }

  /// Waits until eggd says something; throws where it does not, because its unit cannot start.
  func awaitFirst(_ surroundings: Surroundings) throws(ScheduleClientError) {
    guard let client else { return }
    surroundings.watchUnit(client)
    try client.awaitFirst()
  }

  /// The next message that has come; nil where none has. Throws where the connection is lost.
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

  /// Ends the connection; it is to be connected again.
  mutating func close() { client = nil }
}
