import CLinux
import Dispatch
import Glibc

/// Reports on a queue which sockets are ready: an epoll(7) instance behind one Dispatch source.
///
/// No socket has a source of its own. When a peer hangs up, Dispatch deregisters the socket on the thread
/// that runs the source. Its own thread may still be handling the socket, and traps when it is gone
/// (swift-corelibs-libdispatch, `_dispatch_event_merge_hangup`; issue 949 there). An epoll instance never
/// hangs up.
///
/// Confined to the queue. Releasing the last reference, on any thread, ends all reports.
package final class Epoll: @unchecked Sendable {
  /// Both, where the peer is gone or the connection broke: the next call shows which.
  package struct Readiness: OptionSet, Sendable {
    package let rawValue: UInt8
    /// Bytes, a connection, or the end of the stream.
    package static let readable = Self(rawValue: 1)
    package static let writable = Self(rawValue: 2)
    /// Only the end: the peer has closed, or the connection broke.
    package static let end = Self(rawValue: 4)

    package init(rawValue: UInt8) { self.rawValue = rawValue }
  }

  /// The kernel gives no epoll instance.
  package struct Failure: Error, CustomStringConvertible {
    /// From epoll_create1(2).
    package let errno: Int32

    package var description: String { "cannot watch sockets: \(String(cString: strerror(errno)))" }
  }

  private struct Watched {
    var awaited: Readiness = []
    var handler: (Readiness) -> Void
  }

  private let queue: DispatchQueue
  private let descriptor: Int32
  private let source: any DispatchSourceRead
  private var watched: [Int32: Watched] = [:]

  /// Sockets per report.
  private static let most = 8
  /// How often it polls before yielding the queue. By the second poll an accepted client has usually sent its
  /// call.
  private static let looks = 2

  package init(queue: DispatchQueue) throws(Failure) {
    self.queue = queue
    descriptor = epoll_create1(Int32(EPOLL_CLOEXEC))
    guard descriptor >= 0 else { throw Failure(errno: errno) }
    source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
    source.setEventHandler { [weak self] in self?.look() }
    source.setCancelHandler { [descriptor] in Glibc.close(descriptor) }
    source.activate()
  }

  deinit {
    assert(watched.isEmpty, "a socket may be closed and its number reused while it is still being read")
    source.cancel()
  }

  /// Registers a socket's handler. The socket is to be closed by ``close(_:)`` or ``closeLater(_:)``, or given to
  /// ``remove(_:)`` before it is closed.
  package func add(_ socket: Int32, handler: @escaping (Readiness) -> Void) {
    dispatchPrecondition(condition: .onQueue(queue))
    watched[socket] = Watched(handler: handler)
  }

  /// Reports a socket while it is ready for any of these. With none, it reports nothing, not even the end.
  ///
  /// - Returns: false, with errno set, at the kernel's limit.
  package func watch(_ socket: Int32, for readiness: Readiness) -> Bool {
    dispatchPrecondition(condition: .onQueue(queue))
    guard let before = watched[socket]?.awaited else { return false }
    guard readiness != before else { return true }
    var event = epoll_event()
    if readiness.contains(.readable) { event.events |= EPOLLIN.rawValue }
    if readiness.contains(.writable) { event.events |= EPOLLOUT.rawValue }
    event.data.fd = socket
    // The end of a socket that is watched for nothing would be reported for ever.
    let operation =
      before.isEmpty ? EPOLL_CTL_ADD : readiness.isEmpty ? EPOLL_CTL_DEL : EPOLL_CTL_MOD
    guard epoll_ctl(descriptor, operation, socket, &event) == 0 else { return false }
    watched[socket]?.awaited = readiness
    return true
  }

  package func remove(_ socket: Int32) {
    _ = watch(socket, for: [])
    watched[socket] = nil
  }

  package func close(_ socket: Int32) {
    remove(socket)
    Glibc.close(socket)
  }

  /// Closes the socket on the queue, from any thread: while the queue reads it, its number must not go to another file.
  package func closeLater(_ socket: Int32) { queue.async { self.close(socket) } }

  private func look() {
    withUnsafeTemporaryAllocation(of: epoll_event.self, capacity: Self.most) { events in
      for _ in 0..<Self.looks {
        let count = Int(epoll_wait(descriptor, events.baseAddress, Int32(Self.most), 0))
        guard count > 0 else { return }
        for event in events[..<count] { tell(event.data.fd, event.events) }
      }
    }
  }

  /// An earlier handler may have removed the socket or reused its number: events that it does not await are
  /// dropped.
  private func tell(_ socket: Int32, _ events: UInt32) {
    guard let watched = watched[socket] else { return }
    var readiness: Readiness = []
    let end = EPOLLHUP.rawValue | EPOLLERR.rawValue
    if events & (EPOLLIN.rawValue | end) != 0 { readiness.insert(.readable) }
    if events & (EPOLLOUT.rawValue | end) != 0 { readiness.insert(.writable) }
    // Reported for every watched socket (epoll_ctl(2)).
    if events & end != 0 { readiness.insert(.end) }
    readiness.formIntersection(watched.awaited)
    if !readiness.isEmpty { watched.handler(readiness) }
  }
}
