import CLinux
import Glibc

package enum ProcessSettings {
  /// Call it first, before there is another thread.
  package static func apply() {
    // All that eggd makes is its owner's alone, and open to its owner: under a umask of 777 the lock file could not be
    // opened by a second eggd, which would lock something else.
    umask(0o077)
    // Large blocks go back to the system when they are freed. Left alone, glibc raises this bound with each of them: 490
    // clients that read no replies then take 97 MiB in place of the 64 that all buffers may hold, and keep most of it.
    mallopt(M_MMAP_THRESHOLD, 131_072)
    // Left alone, each thread has a heap of its own, and keeps what it has freed.
    mallopt(M_ARENA_MAX, 1)
  }

  /// An environment as other programs get it: without what is between the service manager and eggd.
  static func passedOn(_ environment: [String: String]) -> [String] {
    let own = [
      "NOTIFY_SOCKET", "WATCHDOG_PID", "WATCHDOG_USEC", "LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES",
    ]
    return environment.filter { !own.contains($0.key) }.map { "\($0.key)=\($0.value)" }
  }
}
