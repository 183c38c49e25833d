import Glibc

/// What holds for the whole process, whoever started it.
package enum ProcessSettings {
  /// To be called first, before there is another thread.
  package static func apply() {
    // All that eggd makes is its owner's alone, and open to its owner: under a umask of 777 the lock file could not be
    // opened by a second eggd, which would lock something else.
    umask(0o077)
  }
}
