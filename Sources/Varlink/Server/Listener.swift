import CLinux
import Dispatch
import Glibc

/// A listening socket. On the server's queue, which guards its state.
final class Listener: @unchecked Sendable {
  private let source: any DispatchSourceRead
  private let fd: Int32
  private let queue: DispatchQueue
  private var isPaused = false
  private let accepted: (Int32) -> Void

  /// Takes over `fd`. Accepts only a few at a time, so that those who are connected have their turn.
  init(fd: Int32, queue: DispatchQueue, accepted: @escaping (Int32) -> Void) {
    self.fd = fd
    self.queue = queue
    self.accepted = accepted
    _ = fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK)
    _ = fcntl(fd, F_SETFD, FD_CLOEXEC)
    source = DispatchSource.makeReadSource(fileDescriptor: fd, queue: queue)
    source.setEventHandler { [weak self] in self?.acceptSome() }
    source.setCancelHandler { Glibc.close(fd) }
    source.resume()
  }

  deinit {
    source.cancel()
    if isPaused { source.resume() }
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
      case EMFILE, ENFILE, ENOBUFS, ENOMEM: return pause()
      default: return
      }
    }
  }

  /// The socket stays readable while nothing can be accepted: without a pause this would spin.
  private func pause() {
    isPaused = true
    source.suspend()
    queue.asyncAfter(deadline: .now() + .milliseconds(200)) { [weak self] in
      self?.isPaused = false
      self?.source.resume()
    }
  }
}
