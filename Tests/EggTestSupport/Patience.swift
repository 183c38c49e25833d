import Glibc

/// How long a test waits for an event before it fails: long enough for a loaded machine, never waited out
/// where all is well. TEST_PATIENCE is another number of seconds, for programs that a sanitizer slows down.
public let patience: Duration = .seconds(getenv("TEST_PATIENCE").flatMap { Int(String(cString: $0)) } ?? 30)

/// How long a process that waits for many events, one after the other, may take before a test fails.
public let longPatience: Duration = .seconds(180)

/// Waits until `condition` gives something other than nil, asking every few milliseconds; nil after
/// ``patience``. For events that nothing tells about: a file, a process, a row.
public func eventually<T>(within limit: Duration = patience, _ condition: () throws -> T?) rethrows -> T? {
  let end = ContinuousClock.now + limit
  while true {
    if let found = try condition() { return found }
    if ContinuousClock.now > end { return nil }
    poll(nil, 0, 5)
  }
}
