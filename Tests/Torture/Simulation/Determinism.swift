import EggTestSupport
import Glibc

/// What makes two runs of one seed the same: symbols of this program take the place of those that eggd's modules and
/// SQLite would find in libraries.
enum Determinism {
  nonisolated(unsafe) static var random = SeededGenerator(seed: 0)

  /// Starts this program anew where hash tables would have another order each time.
  static func begin() {
    guard getenv("SWIFT_DETERMINISTIC_HASHING") == nil else { return }
    setenv("SWIFT_DETERMINISTIC_HASHING", "1", 1)
    execv("/proc/self/exe", CommandLine.unsafeArgv)
    fail("cannot start anew: \(String(cString: strerror(errno)))")
  }
}

/// Identities of alarms count up from the seed.
@_cdecl("swift_stdlib_random")
public func seededRandom(_ buffer: UnsafeMutableRawPointer, _ count: Int) {
  var left = count
  var start = buffer
  while left > 0 {
    withUnsafeBytes(of: Determinism.random.next()) { bytes in
      let part = min(left, bytes.count)
      start.copyMemory(from: bytes.baseAddress ?? UnsafeRawPointer(start), byteCount: part)
      left -= part
      start += part
    }
  }
}

/// No watch on files: events would come when the kernel likes. Zones are looked at when the run says.
@_cdecl("inotify_init1")
public func refuseWatch(_ flags: Int32) -> Int32 {
  errno = EMFILE
  return -1
}
