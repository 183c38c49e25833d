import Glibc
import Synchronization

/// A thread of its own, and what comes of it.
final class Worker<Value: Sendable>: Sendable {
  private let body: @Sendable () throws -> Value
  private let result = Mutex<Result<Value, any Error>?>(nil)
  private let thread = Mutex<pthread_t?>(nil)

  /// Begins at once.
  init(_ body: @escaping @Sendable () throws -> Value) {
    self.body = body
    var started = pthread_t()
    let box = Box { [self] in
      let outcome = Result { try self.body() }
      result.withLock { $0 = outcome }
    }
    pthread_create(
      &started, nil,
      { pointer in
        if let pointer { Unmanaged<Box>.fromOpaque(pointer).takeRetainedValue().body() }
        return nil
      }, Unmanaged.passRetained(box).toOpaque())
    let handle = started
    thread.withLock { $0 = handle }
  }

  /// Waits for its end.
  func value() throws -> Value {
    if let thread = thread.withLock({ $0 }) { pthread_join(thread, nil) }
    guard let result = result.withLock({ $0 }) else { throw BenchFailure("a thread came to nothing") }
    return try result.get()
  }
}

private final class Box: Sendable {
  let body: @Sendable () -> Void
  init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}

/// Says to a worker that it is to end.
final class Stop: Sendable {
  private let flag = Atomic(false)
  var isSet: Bool { flag.load(ordering: .relaxed) }
  func set() { flag.store(true, ordering: .relaxed) }
}
