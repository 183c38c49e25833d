import Dispatch
import LinuxIO

/// One client: messages in, replies out in the order of its calls. Used on the server's queue, which guards
/// every property.
final class ServerConnection: @unchecked Sendable {
  let id: ConnectionID
  let peer: PeerCredentials
  private let channel: SocketChannel
  private let queue: DispatchQueue
  private let limits: ServerLimits
  private weak var server: VarlinkServer?

  private var splitter: FrameSplitter
  /// Calls awaiting replies, in order; only the first one's replies are sent.
  private var order: [PendingCall] = []
  private var unanswered: [ObjectIdentifier: PendingCall] = [:]
  private var heldBytes = 0
  private var openBytes = 0
  private var keptBytes = 0
  /// Bytes last reported to the server.
  private var countedBytes = 0
  private var lastActive: UInt64 = 0
  /// A call is ready to begin.
  private var hasWork = false
  /// While it runs no later call is handled (UAPI.20, `more`).
  private var streaming: PendingCall?
  /// Reads and begins nothing more; finishes what has begun.
  private var isEnding = false
  /// The client sends no more; what it sent is still handled.
  private var hasReadAll = false
  /// Settles once at the end of a turn, not after each reply.
  private var isInTurn = false
  private var endActions: [@Sendable () -> Void] = []
  private var drains: [(bytes: Int, action: @Sendable () -> Void)] = []

  init(id: ConnectionID, fd: Int32, peer: PeerCredentials, server: VarlinkServer) {
    self.id = id
    self.peer = peer
    self.server = server
    queue = server.queue
    limits = server.limits
    channel = SocketChannel(
      fd: fd, queue: server.queue, epoll: server.epoll, bytesPerRead: server.limits.bytesPerTurn)
    splitter = FrameSplitter(limit: server.limits.messageBytes)
  }

  func start() {
    channel.onBytes = { [weak self] bytes in self?.received(bytes) }
    channel.onSent = { [weak self] in
      self?.noteActivity()
      self?.count()
      self?.sentSome()
    }
    channel.onEnd = { [weak self] end in self?.ended(end) }
    noteActivity()
    settle()
  }

  var isClosed: Bool { channel.isClosed }
  /// See ``SocketChannel/isLeft``.
  var isLeft: Bool { channel.isLeft }
  var unsentBytes: Int { channel.unsentBytes + heldBytes }
  private var openCalls: Int { order.count + unanswered.count }

  private var mayBegin: Bool {
    !isClosed && !isEnding && streaming == nil && openCalls < limits.callsInFlight
      && openBytes < limits.messageBytes
  }

  private func received(_ bytes: UnsafeRawBufferPointer) {
    noteActivity()
    splitter.append(bytes)
    settle(isFresh: openCalls == 0)
  }

  private func ended(_ end: SocketChannel.End) {
    hasReadAll = true
    guard end == .gone else { return settle() }
    isEnding = true
    let abandoned = order + unanswered.values
    order = []
    unanswered = [:]
    drains = []
    count()
    for call in abandoned { close(call) }
    let actions = endActions
    endActions = []
    for action in actions { action() }
    server?.closed(self)
  }

  /// Handles up to `calls` waiting calls, then yields to other connections.
  func takeTurn(calls: Int, until deadline: DispatchTime) {
    var begun = 0
    isInTurn = true
    while mayBegin, begun < calls, begun == 0 || DispatchTime.now() < deadline {
      do {
        guard let message = try splitter.next() else { break }
        begin(try CallMessage(message))
        begun += 1
      } catch {
        // No reply is defined for this, and later bytes cannot be trusted: UAPI.20, Connection Lifecycle.
        isEnding = true
      }
    }
    isInTurn = false
    settle()
  }

  private func begin(_ message: CallMessage) {
    let call = PendingCall(message)
    openBytes += message.json.count
    if message.oneway { unanswered[ObjectIdentifier(call)] = call } else { order.append(call) }
    if call.wantsMore { streaming = call }
    server?.handle(ServerCall(call, on: self))
  }

  /// Updates reading, turns and the end after a change.
  private func settle(isFresh: Bool = false) {
    guard !isInTurn else { return }
    count()
    guard !isClosed else { return }
    hasWork = mayBegin && splitter.hasMessage()
    if hasWork { server?.wantsTurn(self, isFresh: isFresh) }
    if openCalls == 0, isEnding || hasReadAll && !hasWork {
      channel.isReading = false
      channel.noticesEnd = true
      return channel.closeWhenSent()
    }
    // Even when no call may begin, reads a little further to notice the client's end.
    let mayRead = mayBegin || splitter.pendingBytes < limits.bytesPerTurn
    channel.isReading = !hasReadAll && !isEnding && !hasWork && mayRead
    channel.noticesEnd = !hasWork
  }

  /// Reports memory in use to the server.
  private func count() {
    // Decoding a call takes as much memory again.
    let bytes =
      isClosed
      ? 0 : splitter.heldBytes + channel.heldBytes + heldBytes + 2 * openBytes + keptBytes
    let change = bytes - countedBytes
    countedBytes = bytes
    if change != 0 { server?.addHeld(change) }
  }

  private func noteActivity() { lastActive = server?.nextMoment() ?? lastActive }

  private var occupation: Occupation {
    let open = (order + unanswered.values).filter { !$0.isDone }
    if open.isEmpty { return hasWork || unsentBytes > 0 ? .busy : .idle }
    return open.allSatisfy(\.awaitsEvent) ? .waiting : .busy
  }

  var holding: Holding {
    Holding(
      id: id, process: peer.pid, occupation: occupation, lastActive: lastActive, bytes: countedBytes)
  }

  /// Closes at once, dropping unsent and unread bytes.
  func giveWay() {
    channel.close()
    splitter = FrameSplitter(limit: limits.messageBytes)
    count()
  }

  /// Begins nothing more and closes once the calls in flight are answered. Ends streams and calls that await
  /// an event.
  func stop() {
    guard !isClosed else { return }
    isEnding = true
    for call in order + unanswered.values where call.awaitsEvent || call.wantsMore && call.hasContinued {
      finish(call) { self.close(call) }
    }
    settle()
  }

  func close() { channel.close() }

  private func close(_ call: PendingCall) {
    call.isDone = true
    call.held = []
    let action = call.closeAction
    call.closeAction = nil
    action?()
  }
}

extension ServerConnection {
  /// `isLast` ends the call.
  func answer(_ call: PendingCall, _ message: [UInt8], isLast: Bool) {
    dispatchPrecondition(condition: .onQueue(queue))
    guard !call.isDone, !isClosed else { return }
    if !call.message.oneway { post(message, for: call) }
    if isLast { finish(call) { call.closeAction = nil } } else { call.hasContinued = true }
    count()
    if unsentBytes > limits.unsentBytes { channel.close() }
  }

  func keep(bytes: Int, for call: PendingCall) {
    dispatchPrecondition(condition: .onQueue(queue))
    guard !call.isDone, !isClosed else { return }
    keptBytes += bytes - call.keptBytes
    call.keptBytes = bytes
    count()
  }

  private func post(_ message: [UInt8], for call: PendingCall) {
    if order.first === call {
      channel.send(message)
    } else {
      call.held += message
      heldBytes += message.count
    }
  }

  private func finish(_ call: PendingCall, _ last: () -> Void) {
    call.isDone = true
    openBytes -= call.message.json.count
    keptBytes -= call.keptBytes
    if streaming === call { streaming = nil }
    unanswered[ObjectIdentifier(call)] = nil
    last()
    while let first = order.first {
      if !first.held.isEmpty {
        heldBytes -= first.held.count
        channel.send(first.held)
        first.held = []
      }
      guard first.isDone else { break }
      order.removeFirst()
    }
    if !drains.isEmpty { queue.async { [weak self] in self?.sentSome() } }
    settle()
  }

  private func sentSome() {
    guard !drains.isEmpty else { return }
    let ready = drains.filter { $0.bytes >= unsentBytes }
    drains.removeAll { $0.bytes >= unsentBytes }
    for drain in ready { drain.action() }
  }

  func whenUnsent(atMost bytes: Int, _ action: @escaping @Sendable () -> Void) {
    dispatchPrecondition(condition: .onQueue(queue))
    drains.append((bytes, action))
    queue.async { [weak self] in self?.sentSome() }
  }

  func whenEnded(_ action: @escaping @Sendable () -> Void) {
    dispatchPrecondition(condition: .onQueue(queue))
    if isClosed { queue.async(execute: action) } else { endActions.append(action) }
  }

  /// For a call that nobody can answer any more.
  func abandon(_ call: PendingCall) {
    queue.async {
      let failure = CallFailure.methodNotImplemented(call.message.method)
      self.answer(call, MessageWriter.error(failure), isLast: true)
    }
  }
}
