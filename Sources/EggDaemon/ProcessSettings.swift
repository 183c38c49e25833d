import CLinux
import Glibc

/// What holds for the whole process, whoever started it.
package enum ProcessSettings {
  /// To be called first, before there is another thread.
  package static func apply() {
    // All that eggd makes is its owner's alone, and open to its owner: under a umask of 777 the lock file could not be
    // opened by a second eggd, which would lock something else.
    umask(0o077)
    // What a client makes large goes back to the system when it is let go of. Left alone, glibc raises this bound with
    // each block that is freed, and keeps what lies below it.
    mallopt(M_MMAP_THRESHOLD, 131_072)
    // Each arena keeps its own share of what was let go of, and there would be eight to a processor.
    mallopt(M_ARENA_MAX, 2)
  }
}
