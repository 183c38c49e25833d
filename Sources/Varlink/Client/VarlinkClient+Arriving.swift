/// Streams for those who wait for more than one thing: they poll(2) `descriptor` and take what has come.
extension VarlinkClient {
  /// A call with `more` whose replies are taken by `takeArrived`, until the last one or `close()`.
  public func beginMore(_ method: String, _ parameters: some Encodable = NoParameters())
    throws(VarlinkClientError)
  {
    try expect(awaited == 0, orMisuse: "earlier replies are still to be taken")
    try send(method, parameters, flag: .more, until: nil)
  }

  /// The next reply of the stream, if it has come; never waits. nil: poll `descriptor` for POLLIN, but not before, as
  /// what was read with an earlier reply is no longer in the socket.
  ///
  /// The last reply ends the stream, and so does `.remote`; other calls can follow. After any other error the
  /// connection is closed, `.disconnected` coming after the last reply that arrived.
  public func takeArrived<R: Decodable>(as: R.Type = R.self) throws(VarlinkClientError) -> (
    reply: R, isLast: Bool
  )? {
    if isClosed { throw .disconnected }
    try expect(awaited > 0, orMisuse: "no reply is to come")
    do throws(VarlinkClientError) {
      while true {
        if let message = try messageAtHand() {
          let (header, reply): (ReplyMessage, R) = try read(message)
          if header.continues { awaited += 1 }
          return (reply, !header.continues)
        }
        guard try readArrived() else { return nil }
      }
    } catch {
      if case .remote = error { throw error }
      close()
      throw error
    }
  }
}
