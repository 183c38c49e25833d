import CLinux
import Glibc

/// A lock on a file, under any name: flock(2).
package final class FileLock {
  private var descriptor: Int32

  /// On a database: two state directories can lead to one file by symbolic or hard links, and its alarms would ring
  /// twice. nil where another eggd holds the lock. Does nothing on file systems without such locks.
  ///
  /// Independent of SQLite's locks (fcntl(2)). Closing any descriptor of the file drops all of SQLite's, so release this
  /// only after SQLite has closed the file.
  package init?(_ path: String) {
    descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    // deinit closes it.
    if descriptor >= 0, flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK { return nil }
  }

  /// Waits for its turn on this user's own file, which is made where it is missing.
  package init(waitingFor path: String) throws(SafeFile.Failure) {
    descriptor = try SafeFile.openOwn(path)
    guard flock(descriptor, LOCK_EX) == 0 else { throw .failed(errno) }
  }

  deinit { letGo() }

  /// Unlocks before closing: a forked process may have the descriptor too.
  package func letGo() {
    guard descriptor >= 0 else { return }
    flock(descriptor, LOCK_UN)
    close(descriptor)
    descriptor = -1
  }
}

/// What another process holds until it ends.
package enum LettingGo {
  /// How long a process that was killed may still hold it: a program that it was about to start has its descriptors until
  /// that program runs.
  package static let patience = Duration.seconds(1)

  /// Tries until it succeeds, every 10 ms, or until `patience` is over. Blocks the thread.
  package static func waits(for attempt: () -> Bool) -> Bool {
    let clock = ContinuousClock()
    let end = clock.now + patience
    while !attempt() {
      guard clock.now < end else { return false }
      usleep(10_000)
    }
    return true
  }
}
