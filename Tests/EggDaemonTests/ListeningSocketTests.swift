import LinuxIO
import Foundation
import Glibc
import Testing
import Varlink

@testable import EggDaemon
@testable import LinuxIO

@Suite struct ListeningSocketTests {
  /// A folder that exists only during the test.
  private func withFolder(_ body: (String) throws -> Void) throws {
    var template = Array("/tmp/eggd-socket.XXXXXX".utf8CString)
    let made = try #require(mkdtemp(&template))
    let path = String(cString: made)
    defer {
      for name in ["eggd/eggd.sock", "eggd", ""] where remove("\(path)/\(name)") != 0 { continue }
    }
    try body(path)
  }

  private func mode(_ path: String) -> mode_t? {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode & 0o7777 : nil
  }

  @Test("Socket and folder are for their owner alone")
  func modes() throws {
    try withFolder { folder in
      let socket = try ListeningSocket(path: "\(folder)/eggd/eggd.sock")
      defer { close(socket.descriptor) }
      #expect(mode("\(folder)/eggd") == 0o700)
      #expect(mode("\(folder)/eggd/eggd.sock") == 0o600)
    }
  }

  @Test("A folder that others may enter is closed to them")
  func tightens() throws {
    try withFolder { folder in
      #expect(mkdir("\(folder)/eggd", 0o755) == 0)
      let socket = try ListeningSocket(path: "\(folder)/eggd/eggd.sock")
      defer { close(socket.descriptor) }
      #expect(mode("\(folder)/eggd") == 0o700)
    }
  }

  @Test("A socket with a listener is left alone")
  func inUse() throws {
    try withFolder { folder in
      let path = "\(folder)/eggd/eggd.sock"
      let first = try ListeningSocket(path: path)
      defer { close(first.descriptor) }
      #expect(throws: ListeningSocket.Failure.inUse(path: path)) { try ListeningSocket(path: path) }
      close(try UnixSocket.connect(path: path))
    }
  }

  @Test("The socket is removed only once: another eggd's later socket stays")
  func removedOnce() throws {
    try withFolder { folder in
      let path = "\(folder)/eggd/eggd.sock"
      let first = try ListeningSocket(path: path)
      defer { close(first.descriptor) }
      first.remove()
      #expect(mode(path) == nil)
      let second = try ListeningSocket(path: path)
      defer { close(second.descriptor) }
      first.remove()
      #expect(mode(path) == 0o600)
    }
  }

  @Test("A socket file left by a killed eggd is replaced")
  func leftBehind() throws {
    try withFolder { folder in
      let path = "\(folder)/eggd/eggd.sock"
      close(try ListeningSocket(path: path).descriptor)
      #expect(mode(path) != nil)
      let second = try ListeningSocket(path: path)
      defer { close(second.descriptor) }
      close(try UnixSocket.connect(path: path))
    }
  }

  @Test("A socket that a killed eggd's program still has for a moment is replaced")
  func leftForAMoment() throws {
    try withFolder { folder in
      let path = "\(folder)/eggd/eggd.sock"
      let first = try ListeningSocket(path: path).descriptor
      Thread.detachNewThread {
        usleep(100_000)
        close(first)
      }
      close(try ListeningSocket(path: path).descriptor)
    }
  }

  @Test("A file that is no socket is not removed")
  func otherFile() throws {
    try withFolder { folder in
      let path = "\(folder)/eggd/eggd.sock"
      #expect(mkdir("\(folder)/eggd", 0o700) == 0)
      let file = open(path, O_CREAT | O_WRONLY, 0o600)
      close(file)
      // connect(2) gives ECONNREFUSED for it, as for a dead socket.
      #expect(throws: ListeningSocket.Failure.self) { try ListeningSocket(path: path) }
      #expect(mode(path) != nil)
    }
  }

  @Test("A symbolic link in the folder's place is refused")
  func linkedFolder() throws {
    try withFolder { folder in
      #expect(symlink("/tmp", "\(folder)/eggd") == 0)
      #expect(
        throws: ListeningSocket.Failure.notOurs(path: "\(folder)/eggd", reason: "it is not a directory")
      ) {
        try ListeningSocket(path: "\(folder)/eggd/eggd.sock")
      }
    }
  }

  @Test("A folder that others can replace is refused")
  func openParent() throws {
    try withFolder { folder in
      #expect(chmod(folder, 0o777) == 0)
      #expect(
        throws: ListeningSocket.Failure.notOurs(path: folder, reason: "anybody can replace what is in it")
      ) {
        try ListeningSocket(path: "\(folder)/eggd/eggd.sock")
      }
    }
  }

  @Test("A path too long for a socket address is a configuration error")
  func tooLong() throws {
    let path = "/tmp/" + String(repeating: "e", count: 103)
    do {
      _ = try ListeningSocket(path: path)
      Issue.record("it was bound")
    } catch {
      #expect(error == .pathTooLong(path: path, limit: 107))
      #expect(error.exitStatus == 78)
    }
  }
}
