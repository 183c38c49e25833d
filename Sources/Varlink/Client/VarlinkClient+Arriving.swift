/// Streams for callers that wait for several things: they poll(2) `descriptor`, then take what has arrived.
extension VarlinkClient {
  /// Makes a call with `more`. `takeArrived` then takes the replies until the last one or `close()`.
  public func beginMore(_ method: String, _ parameters: some Encodable = NoParameters())
    throws(VarlinkClientError)
  {
    try expectNoneOpen()
    try takeAhead()
    try send(method, parameters, flag: .more)
  }

  /// The next reply of the stream if it has arrived; never waits. Call it until it returns nil, and only then
  /// poll `descriptor` for POLLIN: one read may bring several replies.
  ///
  /// The last reply and `.remote` end the stream; other calls may follow. Any other error closes the
  /// connection. `.disconnected` comes after the last reply that arrived.
  public func takeArrived<R: Decodable>(as: R.Type = R.self) throws(VarlinkClientError) -> (
    reply: R, isLast: Bool
  )? {
    guard let (header, reply): (ReplyMessage, R) = try reply(reads: readArrived) else { return nil }
    return (reply, !header.continues)
  }

  /// False when there was nothing to read.
  private func readArrived() throws(VarlinkClientError) -> Bool {
    do throws(VarlinkClientError) {
      try readOnce(until: .now)
      return true
    } catch {
      if case .timedOut = error { return false }
      throw error
    }
  }
}
