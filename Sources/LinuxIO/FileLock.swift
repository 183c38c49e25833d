import CLinux
import Glibc

/// eggd's own lock on a database file, under any name. Two state directories can lead to one file by symbolic
/// or hard links, and its alarms would ring twice.
///
/// flock(2), which is independent of SQLite's locks (fcntl(2)). Closing any descriptor of the file drops all
/// of SQLite's, so release this only after SQLite has closed the file.
package final class FileLock {
  private var descriptor: Int32

  /// nil where another eggd holds the lock. Does nothing on file systems without such locks.
  package init?(_ path: String) {
    descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    // deinit closes it.
    if descriptor >= 0, flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK { return nil }
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
