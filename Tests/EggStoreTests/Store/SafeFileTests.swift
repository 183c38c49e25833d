import Foundation
import Glibc
import Testing

@testable import LinuxIO

/// Files in places where others may have put something.
@Suite final class SafeFileTests {
  private let folder: String
  private var path: String { folder + "/file" }
  private var precious: String { folder + "/precious" }

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "eggd-safe-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try "mine".write(toFile: precious, atomically: false, encoding: .utf8)
    chmod(precious, 0o644)
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  enum Planted: CaseIterable {
    case link, linkToNowhere, secondName, fifo, directory, file
  }

  private func plant(_ planted: Planted) {
    let made =
      switch planted {
      case .link: symlink(precious, path)
      case .linkToNowhere: symlink(folder + "/new", path)
      case .secondName: link(precious, path)
      case .fifo: mkfifo(path, 0o666)
      case .directory: mkdir(path, 0o777)
      case .file: close(open(path, O_CREAT | O_WRONLY, 0o666))
      }
    #expect(made == 0)
  }

  private func expectUntouched() throws {
    #expect(try String(contentsOfFile: precious, encoding: .utf8) == "mine")
    var status = stat()
    #expect(stat(precious, &status) == 0 && status.st_mode & 0o777 == 0o644)
    #expect(access(folder + "/new", F_OK) != 0)
  }

  private func failure<Value>(_ body: () throws(SafeFile.Failure) -> Value) -> SafeFile.Failure? {
    do throws(SafeFile.Failure) {
      _ = try body()
      return nil
    } catch { return error }
  }

  @Test("A new file is for its owner alone, whatever the folder") func new() throws {
    try SafeFile.write(Array("egg".utf8), to: path)
    var status = stat()
    #expect(stat(path, &status) == 0 && status.st_mode & 0o7777 == 0o600)
    #expect(try SafeFile.read(path, upTo: 10) == Array("egg".utf8))
  }

  @Test("Nothing that is there is followed, overwritten or waited for", arguments: Planted.allCases)
  func create(planted: Planted) throws {
    plant(planted)
    #expect(failure { () throws(SafeFile.Failure) in try SafeFile.write([1], to: path) } == .failed(EEXIST))
    try expectUntouched()
  }

  @Test(
    "One's own file is opened, and made where it is missing; nothing else is",
    arguments: [
      (.link, .failed(ELOOP)), (.linkToNowhere, .failed(ELOOP)), (.secondName, .notOurs),
      (.fifo, .notRegular), (.directory, .failed(EISDIR)), (.file, nil), (nil, nil),
    ] as [(Planted?, SafeFile.Failure?)])
  func own(planted: Planted?, expected: SafeFile.Failure?) throws {
    if let planted { plant(planted) }
    let failed = failure { () throws(SafeFile.Failure) in close(try SafeFile.openOwn(path)) }
    #expect(failed == expected)
    try expectUntouched()
  }

  @Test("Another's file is not one's own", .enabled(if: geteuid() == 0, "gives a file away: needs root"))
  func another() {
    plant(.file)
    #expect(chown(path, 4_242, 4_242) == 0)
    #expect(failure { () throws(SafeFile.Failure) in try SafeFile.openOwn(path) } == .notOurs)
    #expect(failure { () throws(SafeFile.Failure) in try SafeFile.readOwn(path, upTo: 1) } == .notOurs)
    #expect(FileSystem.exposure(of: path) == "it belongs to user 4242")
  }

  @Test("A file is read to the limit and no further; what is no file is not read")
  func read() throws {
    #expect(try SafeFile.read(precious, upTo: 2) == Array("mi".utf8))
    #expect(truncate(precious, 3 << 30) == 0)
    #expect(try SafeFile.read(precious, upTo: 100_000).count == 100_000)
    plant(.fifo)
    for (name, expected) in [
      (path, SafeFile.Failure.notRegular), (folder, .notRegular), ("/dev/zero", .notRegular),
      (folder + "/none", .failed(ENOENT)),
    ] {
      #expect(failure { () throws(SafeFile.Failure) in try SafeFile.read(name, upTo: 9) } == expected)
    }
    try "mine".write(toFile: precious, atomically: false, encoding: .utf8)
    unlink(path)
    plant(.link)
    #expect(failure { () throws(SafeFile.Failure) in try SafeFile.readOwn(path, upTo: 9) } == .failed(ELOOP))
  }

  @Test("What others can change is known by its mode, by the folders above it, and behind a link")
  func exposure() throws {
    #expect(FileSystem.exposure(of: precious) == nil)
    #expect(FileSystem.exposure(of: folder + "/none") == nil)
    // A group of the user's own may write.
    chmod(precious, 0o664)
    #expect(FileSystem.exposure(of: precious) == nil)
    chmod(precious, 0o646)
    plant(.link)
    for name in [precious, path] { #expect(FileSystem.exposure(of: name) == "it can be written by anybody") }
    chmod(precious, 0o644)
    chmod(folder, 0o777)
    #expect(FileSystem.exposure(of: path) == "anybody can replace what is in '\(folder)'")
    // In a sticky one others can make files, but replace none.
    chmod(folder, 0o1777)
    #expect(FileSystem.exposure(of: path) == nil)
    #expect(FileSystem.exposure(of: folder) == "it can be written by anybody")
    chmod(folder, 0o700)
  }
}
