import Glibc
import LinuxIO

/// One connection to a server, with blocking calls. Used by one thread at a time. Does not use Dispatch.
public final class VarlinkClient {
  /// In bytes; a longer reply is refused.
  public static let longestReply = 16 << 20

  /// The socket, closed with the client.
  public let descriptor: Int32
  var splitter = FrameSplitter(limit: VarlinkClient.longestReply)
  private(set) var isClosed = false
  /// Calls sent whose replies have not been received.
  var awaited = 0
  /// Takes the reply of the call that was sent ahead.
  private var ahead: ((ContinuousClock.Instant?) throws(VarlinkClientError) -> Void)?
  /// Called after each of these delays while the first reply is outstanding; false ends the wait like a
  /// time-out.
  package var whileSilent: (after: [Duration], goesOn: () -> Bool)?

  /// Throws `.unreachable`, with ENAMETOOLONG if the path does not fit a socket address. `timeout` bounds the
  /// wait for a server that does not accept.
  public convenience init(path: String, timeout: Duration? = nil) throws(VarlinkClientError) {
    do {
      self.init(descriptor: try UnixSocket.connect(path: path, timeout: timeout))
    } catch {
      throw error.errno == EAGAIN ? .timedOut : .unreachable(errno: error.errno, path: path)
    }
  }

  /// Takes over a connected stream socket.
  public init(descriptor: Int32) { self.descriptor = descriptor }

  deinit {
    close()
  }

  /// Whether either end has closed the connection, so that a call would not be answered.
  public var hasEnded: Bool {
    if isClosed { return true }
    var entry = pollfd(fd: descriptor, events: 0, revents: 0)
    return poll(&entry, 1, 0) == 1
  }

  /// Whether bytes have arrived that are no whole reply.
  package var hasPart: Bool { splitter.pendingBytes > 0 }

  /// Makes one call and returns its reply. Omits optional parameters that are nil. `.timedOut` closes the
  /// connection, as the reply might still come.
  public func call<R: Decodable>(
    _ method: String, _ parameters: some Encodable = NoParameters(), as: R.Type = R.self,
    timeout: Duration? = nil
  ) throws(VarlinkClientError) -> R {
    let deadline = timeout.map { ContinuousClock.now + $0 }
    try expectNoneOpen()
    try send(method, parameters, until: deadline)
    return try receive(as: R.self, until: deadline)
  }

  /// Makes a call with `more`. `each` is called for each reply until the last; if it returns false or throws,
  /// the connection is closed, as a stream cannot be ended otherwise. `timeout` applies to each reply. Throws
  /// `VarlinkClientError` and whatever `each` throws.
  public func callMore<R: Decodable>(
    _ method: String, _ parameters: some Encodable = NoParameters(), as: R.Type = R.self,
    timeout: Duration? = nil, each: (R) throws -> Bool
  ) throws {
    try expectNoneOpen()
    try send(method, parameters, flag: .more, until: timeout.map { ContinuousClock.now + $0 })
    defer { if awaited > 0 { close() } }
    while true {
      let (message, reply) = try next(R.self, until: timeout.map { ContinuousClock.now + $0 })
      guard try each(reply), message.continues else { return }
    }
  }

  /// Makes a call that gets no reply.
  public func oneway(_ method: String, _ parameters: some Encodable = NoParameters())
    throws(VarlinkClientError)
  {
    try send(method, parameters, flag: .oneway)
  }

  /// Sends a call that the next one follows at once. `take` gets its reply before the next one's is received; nil if the
  /// server refused it.
  package func sendAhead<R: Decodable>(
    _ method: String, _ parameters: some Encodable = NoParameters(), as: R.Type = R.self,
    take: @escaping (R?) -> Void
  ) throws(VarlinkClientError) {
    try expectNoneOpen()
    if ahead != nil { throw .misuse("only one call can be sent ahead") }
    try send(method, parameters)
    ahead = { [unowned self] deadline throws(VarlinkClientError) in
      do throws(VarlinkClientError) {
        take(try receive(as: R.self, until: deadline))
      } catch {
        guard case .remote = error else { throw error }
        take(nil)
      }
    }
  }

  /// Sends a call; `receive` takes its reply later, in the order of sending. At most 64 should be
  /// outstanding.
  package func send(
    _ method: String, _ parameters: some Encodable = NoParameters(), flag: MessageWriter.Flag? = nil,
    until deadline: ContinuousClock.Instant? = nil
  ) throws(VarlinkClientError) {
    if isClosed { throw .disconnected }
    guard let json = try? MessageWriter.encode(parameters) else {
      throw .misuse("the parameters of \(method) do not encode to a JSON object")
    }
    try send(method, json: json, flag: flag, until: deadline)
  }

  /// The same; `parameters` is one encoded JSON object, without NUL.
  package func send(
    _ method: String, json parameters: [UInt8], flag: MessageWriter.Flag? = nil,
    until deadline: ContinuousClock.Instant? = nil
  ) throws(VarlinkClientError) {
    if isClosed { throw .disconnected }
    do {
      try write(MessageWriter.call(method, parameters: parameters, flag: flag), until: deadline)
    } catch {
      close()
      throw error
    }
    if flag != .oneway { awaited += 1 }
  }

  /// The reply to the earliest outstanding `send`. `.remote` leaves the later ones outstanding; any other
  /// error closes the connection.
  public func receive<R: Decodable>(as: R.Type = R.self, timeout: Duration? = nil)
    throws(VarlinkClientError) -> R
  {
    try receive(as: R.self, until: timeout.map { ContinuousClock.now + $0 })
  }

  /// Later calls throw `.disconnected`.
  public func close() {
    guard !isClosed else { return }
    isClosed = true
    awaited = 0
    ahead = nil
    Glibc.close(descriptor)
  }
}

extension VarlinkClient {
  func expect(_ condition: Bool, orMisuse text: String) throws(VarlinkClientError) {
    if !condition { throw .misuse(text) }
  }

  func expectNoneOpen() throws(VarlinkClientError) {
    try expect(awaited == (ahead == nil ? 0 : 1), orMisuse: "earlier replies must be received first")
  }

  /// The next call is watched as if nothing had been sent ahead.
  func takeAhead(until deadline: ContinuousClock.Instant? = nil) throws(VarlinkClientError) {
    guard let take = ahead else { return }
    ahead = nil
    let watch = whileSilent
    try take(deadline)
    whileSilent = watch
  }

  private func receive<R: Decodable>(
    as: R.Type, until deadline: ContinuousClock.Instant?
  ) throws(VarlinkClientError) -> R {
    let (message, reply) = try next(R.self, until: deadline)
    if message.continues {
      close()
      throw .protocolViolation("'continues' in a reply to a call without 'more'")
    }
    return reply
  }

  private func next<R: Decodable>(
    _: R.Type, until deadline: ContinuousClock.Instant?
  ) throws(VarlinkClientError) -> (ReplyMessage, R) {
    if isClosed { throw .disconnected }
    try takeAhead(until: deadline)
    let reply: (ReplyMessage, R)? = try reply { () throws(VarlinkClientError) in
      try awaitFirst(until: deadline)
      try readOnce(until: deadline)
      return true
    }
    guard let reply else { throw .disconnected }
    return reply
  }

  /// The next reply; nil once `reads` has nothing more to read. Errors but `.remote` close the connection.
  func reply<R: Decodable>(
    reads: () throws(VarlinkClientError) -> Bool
  ) throws(VarlinkClientError) -> (ReplyMessage, R)? {
    if isClosed { throw .disconnected }
    try expect(awaited > 0, orMisuse: "no call awaits a reply")
    do throws(VarlinkClientError) {
      while true {
        if let reply: (ReplyMessage, R) = try replyAtHand() { return reply }
        guard try reads() else { return nil }
      }
    } catch {
      if case .remote = error { throw error }
      close()
      throw error
    }
  }

  /// Waits for the first reply as long as ``whileSilent`` has delays left, until the deadline at most.
  package func awaitFirst(until deadline: ContinuousClock.Instant? = nil) throws(VarlinkClientError) {
    guard let (times, goesOn) = whileSilent else { return }
    whileSilent = nil
    let start = ContinuousClock.now
    for time in times {
      if hasInput(until: min(start + time, deadline ?? start + time)) { return }
      if let deadline, deadline <= .now { return }
      guard goesOn() else {
        close()
        throw .timedOut
      }
    }
  }

  /// The next reply among those already read. Its parameters are decoded where they stand, so that a long message
  /// is read once.
  private func replyAtHand<R: Decodable>() throws(VarlinkClientError) -> (ReplyMessage, R)? {
    var decoded: Result<R, DecodingError>?
    let message: ReplyMessage
    do {
      guard let bytes = try splitter.next() else { return nil }
      message = try ReplyMessage(bytes) { decoded = try JSON.next(&$0) }
    } catch let fault as CallMessage.Fault {
      throw .protocolViolation("invalid reply: \(fault)")
    } catch {
      throw .protocolViolation("a reply is longer than \(Self.longestReply) bytes")
    }
    if !message.continues { awaited -= 1 }
    if let name = message.error { throw .remote(RemoteError(name: name, json: message.parameters)) }
    do {
      return (message, try decoded?.get() ?? JSON.value(message.parameters))
    } catch {
      let field = (error as? DecodingError)?.fieldPath ?? "parameters"
      throw .protocolViolation("'\(field)' of the reply is missing or has another type")
    }
  }

  private func write(
    _ bytes: [UInt8], until deadline: ContinuousClock.Instant?
  ) throws(VarlinkClientError) {
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes { buffer in
        Glibc.send(
          descriptor, buffer.baseAddress?.advanced(by: sent), buffer.count - sent,
          Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
      }
      if count >= 0 {
        sent += count
      } else {
        try waitOrThrow(for: Int16(POLLOUT), until: deadline)
      }
    }
  }

  /// Blocks until there is input, at most until the deadline.
  func readOnce(until deadline: ContinuousClock.Instant?) throws(VarlinkClientError) {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
    defer { buffer.deallocate() }
    while true {
      let count = recv(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT))
      if count > 0 { return splitter.append(UnsafeRawBufferPointer(rebasing: buffer[..<count])) }
      if count == 0 { throw .disconnected }
      try waitOrThrow(for: Int16(POLLIN), until: deadline)
    }
  }

  /// After a failed call: waits if waiting can help, otherwise throws.
  private func waitOrThrow(
    for events: Int16, until deadline: ContinuousClock.Instant?
  ) throws(VarlinkClientError) {
    guard errno == EAGAIN || errno == EINTR else { throw .disconnected }
    guard errno == EAGAIN else { return }
    if let deadline, deadline <= .now { throw .timedOut }
    var entry = pollfd(fd: descriptor, events: events, revents: 0)
    _ = poll(&entry, 1, deadline?.pollTime ?? -1)
  }

  /// Waits for input or the end of the stream; false at the deadline.
  private func hasInput(until deadline: ContinuousClock.Instant) -> Bool {
    while true {
      var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      if poll(&entry, 1, deadline.pollTime) > 0 { return true }
      if deadline <= .now { return false }
    }
  }
}

public enum VarlinkClientError: Error, Sendable {
  /// connect(2) failed.
  case unreachable(errno: Int32, path: String)
  /// The server closed the connection before answering.
  case disconnected
  /// The reply does not fit Varlink or the caller's types; says why.
  case protocolViolation(String)
  /// The caller's mistake: a call out of turn, or parameters that are no JSON object; says which. Nothing was
  /// sent.
  case misuse(String)
  case timedOut
  case remote(RemoteError)
}

public struct RemoteError: Error, Sendable {
  /// Fully qualified.
  public let name: String
  let json: [UInt8]

  /// nil if the parameters do not decode to that type.
  public func parameters<P: Decodable>(as: P.Type = P.self) -> P? {
    try? JSON.value(json)
  }
}
