import EggTestSupport
import EggTime
import Foundation
import Glibc
import Testing

@testable import EggStore
@testable import LinuxIO

@Suite("The state directory")
struct StateDirectoryTests {
  private func temporary() throws -> String {
    let path = FileManager.default.temporaryDirectory.appending(path: "eggd-state-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    return path
  }

  @Test("It is made with its parents, for its owner alone")
  func made() throws {
    let root = try temporary()
    defer { try? FileManager.default.removeItem(atPath: root) }
    let path = root + "/a/b/eggd"
    let directory = try StateDirectory(path: path)
    #expect(directory.path == path)
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode == 0o700)
  }

  @Test("A second eggd is refused and told the first one's pid, until that ends")
  func locked() throws {
    let root = try temporary()
    defer { try? FileManager.default.removeItem(atPath: root) }
    var first: StateDirectory? = try StateDirectory(path: root)
    let error = #expect(throws: StoreOpenError.self) { try StateDirectory(path: root) }
    #expect(error == .locked(path: root, pid: getpid()))
    #expect(error?.exitStatus == 1)
    withExtendedLifetime(first) {}
    first = nil
    _ = try StateDirectory(path: root)
  }

  @Test("The lock of an eggd that was killed while it started a program is waited for")
  func lockedForAMoment() throws {
    let root = try temporary()
    defer { try? FileManager.default.removeItem(atPath: root) }
    _ = try StateDirectory(path: root)
    let program = Glibc.open(root + "/lock", O_RDONLY)
    #expect(flock(program, LOCK_EX | LOCK_NB) == 0)
    Thread.detachNewThread {
      usleep(100_000)
      close(program)
    }
    _ = try StateDirectory(path: root)
  }

  @Test("If no lock file can be made, the directory itself is locked")
  func lockedDirectory() throws {
    let root = try temporary()
    defer { try? FileManager.default.removeItem(atPath: root) }
    // A symbolic link at that path is not followed, so no file can be made.
    #expect(symlink("/nowhere", root + "/lock") == 0)
    let first = try StateDirectory(path: root)
    #expect(throws: StoreOpenError.locked(path: root, pid: nil)) { try StateDirectory(path: root) }
    withExtendedLifetime(first) {}
  }

  @Test("A directory that others can write to is closed to them; a replaceable one is refused")
  func open() throws {
    let root = try temporary()
    defer { try? FileManager.default.removeItem(atPath: root) }
    #expect(mkdir(root + "/eggd", 0o700) == 0 && chmod(root + "/eggd", 0o777) == 0)
    _ = try StateDirectory(path: root + "/eggd")
    let mode = try FileManager.default.attributesOfItem(atPath: root + "/eggd")[.posixPermissions] as? Int
    #expect(mode == 0o700)
    #expect(chmod(root, 0o777) == 0)
    let expected = StoreOpenError.notPermitted(path: root, reason: "anybody can replace what is in it")
    #expect(throws: expected) { try StateDirectory(path: root + "/eggd") }
    #expect(expected.exitStatus == 78)
    // A sticky one lets only the owner rename.
    #expect(chmod(root, 0o1777) == 0)
    _ = try StateDirectory(path: root + "/eggd")
  }

  @Test("A second name of another file is not written to")
  func secondName() throws {
    let root = try temporary()
    defer { try? FileManager.default.removeItem(atPath: root) }
    try Data("mine".utf8).write(to: URL(fileURLWithPath: root + "/precious"))
    for name in ["/unrecorded", "/lock"] { #expect(link(root + "/precious", root + name) == 0) }
    let directory = try StateDirectory(path: root)
    directory.note(rangUntil: Instant(microseconds: 7))
    #expect(try String(contentsOfFile: root + "/precious", encoding: .utf8) == "mine")
  }

  @Test("A file at its path is refused")
  func file() throws {
    let root = try temporary()
    defer { try? FileManager.default.removeItem(atPath: root) }
    try Data().write(to: URL(fileURLWithPath: root + "/eggd"))
    let error = #expect(throws: StoreOpenError.self) { try StateDirectory(path: root + "/eggd") }
    #expect(error?.exitStatus == 78)
  }

  @Test(
    "Network file systems are detected by type",
    arguments: [
      ("nfs4", true), ("smb3", true), ("9p", true), ("ext4", false), ("tmpfs", false), ("fuse.sshfs", true),
      ("fuse.gocryptfs", false),
    ])
  func network(type: String, expected: Bool) {
    #expect(FileSystem.isNetwork(type) == expected)
    #expect(FileSystem.network("/proc") == nil)
  }
}
