import CLinux
import EggTestSupport
import EggTime
import Glibc
import LinuxIO
import Synchronization

@testable import EggDaemon

/// Listens as the service manager does for eggd-wake, and answers each moment as told.
final class FakeWaker: Sendable {
  let path: String
  private let listener: Int32
  private let state = Mutex(State())

  private struct State {
    var connection: Int32 = -1
    var moments: [Instant?] = []
  }

  /// nil as an answer ends the connection. So do the first `closing` moments.
  init(_ path: String, answer: WakerConnection.Answer?, closing: Int = 0) throws {
    self.path = path
    listener = try UnixSocket.listen(path: path)
    Thread.run { [self] in serve(answer, closing) }
  }

  /// The moments told so far; nil for none.
  var moments: [Instant?] { state.withLock { $0.moments } }

  func say(_ answer: WakerConnection.Answer) { state.withLock { send(answer, to: $0.connection) } }

  /// Ends the connection; the next one is taken.
  func hangUp() { _ = state.withLock { shutdown($0.connection, Int32(SHUT_RDWR)) } }

  /// Ends everything.
  func end() {
    shutdown(listener, Int32(SHUT_RDWR))
    hangUp()
    unlink(path)
  }

  private func serve(_ answer: WakerConnection.Answer?, _ closing: Int) {
    while true {
      var ready = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
      poll(&ready, 1, -1)
      let connection = clinux_accept(listener)
      guard connection >= 0 else { break }
      _ = fcntl(connection, F_SETFL, 0)
      state.withLock { $0.connection = connection }
      var moment: Int64 = 0
      while recv(connection, &moment, 8, Int32(MSG_WAITALL)) == 8 {
        let told = Int64(littleEndian: moment)
        let count = state.withLock {
          $0.moments.append(told == 0 ? nil : Instant(microseconds: told))
          return $0.moments.count
        }
        guard let answer, count > closing else { break }
        send(answer, to: connection)
      }
      // Another file may get the number.
      state.withLock { state in
        state.connection = -1
        close(connection)
      }
    }
    close(listener)
  }

  private func send(_ answer: WakerConnection.Answer, to connection: Int32) {
    var byte = answer.rawValue
    _ = Glibc.send(connection, &byte, 1, Int32(MSG_NOSIGNAL))
  }
}

/// A thread that blocks, which none of Dispatch's may.
private enum Thread {
  private final class Body {
    let run: () -> Void
    init(_ run: @escaping () -> Void) { self.run = run }
  }

  static func run(_ body: @escaping @Sendable () -> Void) {
    var thread = pthread_t()
    let argument = Unmanaged.passRetained(Body(body)).toOpaque()
    pthread_create(
      &thread, nil,
      { argument in
        if let argument { Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run() }
        return nil
      }, argument)
    pthread_detach(thread)
  }
}
