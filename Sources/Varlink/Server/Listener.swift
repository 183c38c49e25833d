import CLinux
import Dispatch
import Glibc
import LinuxIO

/// A listening socket. Used on the server's queue, which guards its state.
final class Listener: @unchecked Sendable {
  private let fd: Int32
  private let queue: DispatchQueue
  private let epoll: Epoll
  private let accepted: (Int32) -> Void

  /// Takes over `fd`; `epoll` belongs to the same queue. Accepts a few connections at a time, so that
  /// existing ones get their turn.
  init(fd: Int32, queue: DispatchQueue, epoll: Epoll, accepted: @escaping (Int32) -> Void) {
    self.fd = fd
    self.queue = queue
    self.epoll = epoll
    self.accepted = accepted
    _ = fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK)
    _ = fcntl(fd, F_SETFD, FD_CLOEXEC)
    epoll.add(fd) { [weak self] _ in self?.acceptSome() }
    listen()
  }

  deinit { epoll.closeLater(fd) }

  private func listen() {
    if !epoll.watch(fd, for: .readable) { listenLater() }
  }

  private func listenLater() {
    queue.asyncAfter(deadline: .now() + .milliseconds(200)) { [weak self] in self?.listen() }
  }

  private func acceptSome() {
    for _ in 0..<16 {
      let connection = clinux_accept(fd)
      if connection >= 0 {
        accepted(connection)
        continue
      }
      switch errno {
      case EINTR, ECONNABORTED: continue
      case EAGAIN: return
      default: return pause()
      }
    }
  }

  /// When nothing can be accepted the socket stays readable: without a pause this would spin.
  private func pause() {
    _ = epoll.watch(fd, for: [])
    listenLater()
  }
}
