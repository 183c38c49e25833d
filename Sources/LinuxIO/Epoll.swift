import CLinux
import Dispatch
import Glibc

/// Tells on a queue what sockets are ready for: an instance of epoll(7), which one Dispatch source watches.
///
/// No socket has a source of its own. When a peer hangs up, Dispatch takes the socket out of its books on whatever thread
/// runs the source, while its own thread still has it in hand, and traps where that one finds it gone
/// (swift-corelibs-libdispatch, `_dispatch_event_merge_hangup`; issue 949 there). An instance of epoll never hangs up.
///
/// Confined to the queue. With the last reference, wherever that goes, nothing is told any more.
package final class Epoll: @unchecked Sendable {
  /// What a socket is ready for. Both where its peer is gone or the connection broke: the next call says so.
  package struct Readiness: OptionSet, Sendable {
    package let rawValue: UInt8
    /// Bytes, a connection, or the end.
    package static let readable = Self(rawValue: 1)
    /// Room for bytes.
    package static let writable = Self(rawValue: 2)
    /// Nothing but the end: its peer has closed, or the connection broke.
    package static let end = Self(rawValue: 4)

    package init(rawValue: UInt8) { self.rawValue = rawValue }
  }

  /// The kernel gives no instance.
  package struct Failure: Error, CustomStringConvertible {
    /// Of epoll_create1(2).
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

  /// So many sockets are told of at a time.
  private static let most = 8
  /// So often it looks before the queue does something else: a client that was let in has mostly called by the second time.
  private static let looks = 2

  /// An instance that watches nothing yet.
  package init(queue: DispatchQueue) throws(Failure) {
    self.queue = queue
    descriptor = epoll_create1(Int32(EPOLL_CLOEXEC))
    guard descriptor >= 0 else { throw Failure(errno: errno) }
    source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
    source.setEventHandler { [weak self] in self?.look() }
    source.setCancelHandler { [descriptor] in Glibc.close(descriptor) }
    source.activate()
  }

  deinit { source.cancel() }

  /// Whom it tells of a socket from now on. ``remove(_:)`` comes before that is closed, or the last reference goes.
  package func add(_ socket: Int32, handler: @escaping (Readiness) -> Void) {
    dispatchPrecondition(condition: .onQueue(queue))
    watched[socket] = Watched(handler: handler)
  }

  /// Tells of a socket as long as it is ready for any of these; for none, of nothing, its end neither.
  ///
  /// - Returns: false where the kernel watches no more than it does, with errno.
  package func watch(_ socket: Int32, for readiness: Readiness) -> Bool {
    dispatchPrecondition(condition: .onQueue(queue))
    guard let before = watched[socket]?.awaited else { return false }
    guard readiness != before else { return true }
    var event = epoll_event()
    if readiness.contains(.readable) { event.events |= EPOLLIN.rawValue }
    if readiness.contains(.writable) { event.events |= EPOLLOUT.rawValue }
    event.data.fd = socket
    // The end of a socket that is watched for nothing would be told for ever.
    let operation =
      before.isEmpty ? EPOLL_CTL_ADD : readiness.isEmpty ? EPOLL_CTL_DEL : EPOLL_CTL_MOD
    guard epoll_ctl(descriptor, operation, socket, &event) == 0 else { return false }
    watched[socket]?.awaited = readiness
    return true
  }

  /// Tells nothing of a socket any more.
  package func remove(_ socket: Int32) {
    _ = watch(socket, for: [])
    watched[socket] = nil
  }

  private func look() {
    withUnsafeTemporaryAllocation(of: epoll_event.self, capacity: Self.most) { events in
      for _ in 0..<Self.looks {
        let count = Int(epoll_wait(descriptor, events.baseAddress, Int32(Self.most), 0))
        guard count > 0 else { return }
        for event in events[..<count] { tell(event.data.fd, event.events) }
      }
    }
  }

  /// A handler before this one may have removed the socket, or given its number to another: what that does not await is
  /// not told.
  private func tell(_ socket: Int32, _ events: UInt32) {
    guard let watched = watched[socket] else { return }
    var readiness: Readiness = []
    let end = EPOLLHUP.rawValue | EPOLLERR.rawValue
    if events & (EPOLLIN.rawValue | end) != 0 { readiness.insert(.readable) }
    if events & (EPOLLOUT.rawValue | end) != 0 { readiness.insert(.writable) }
    // Told of every socket that is watched, whatever for (epoll_ctl(2)).
    if events & end != 0 { readiness.insert(.end) }
    readiness.formIntersection(watched.awaited)
    if !readiness.isEmpty { watched.handler(readiness) }
  }
}
