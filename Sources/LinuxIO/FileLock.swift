import CLinux
import Glibc

/// An eggd's own lock on a database file, whatever names it has: two state directories may lead to one file, by a
/// symbolic or a hard link, and its alarms would ring twice.
///
/// flock(2), which SQLite's locks (fcntl(2)) know nothing of. But closing any descriptor of the file drops all of
/// SQLite's: it is let go only once SQLite has closed the file.
package final class FileLock {
  private var descriptor: Int32

  /// nil where another eggd has the file. Where the file system has no such locks nothing is locked.
  package init?(_ path: String) {
    descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    if descriptor >= 0, flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK {
      close(descriptor)
      return nil
    }
  }

  deinit { letGo() }

  /// Unlocked first: a process that was just forked may have the descriptor, too.
  package func letGo() {
    guard descriptor >= 0 else { return }
    flock(descriptor, LOCK_UN)
    close(descriptor)
    descriptor = -1
  }
}
