import Foundation
import Testing

@testable import EggCommands

/// What becomes of files that are written anew.
@Suite final class SyncFolderTests {
  private let folder: SyncFolder
  private let elsewhere: String

  init() throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "eggctl-folder-\(UUID().uuidString)")
      .path
    (folder, elsewhere) = (SyncFolder(path: path + "/here"), path + "/elsewhere")
    try folder.create()
    try SyncFolder(path: elsewhere).create()
  }

  deinit { try? FileManager.default.removeItem(atPath: (elsewhere as NSString).deletingLastPathComponent) }

  private func put(_ text: String, as name: String) throws {
    try folder.stage(".staged", Array(text.utf8), as: name)
    #expect(folder.isStaged(".staged", as: name))
    #expect(try folder.publish(".staged", as: name, over: folder.stamp(of: name)))
    #expect(!folder.isStaged(".staged", as: name))
  }

  private func status(_ path: String) throws -> stat {
    var status = stat()
    try #require(lstat(path, &status) == 0)
    return status
  }

  @Test(
    "A new file is its owner's alone; one that is replaced keeps mode and group",
    arguments: [0o664, 0o600, 0o444])
  func mode(mode: mode_t) throws {
    let file = folder.path + "/a.ics"
    try put("old", as: "a.ics")
    #expect(try status(file).st_mode == S_IFREG | 0o600)
    // Root may give it to any group, others to one of their own.
    let group = geteuid() == 0 ? 100 : getegid()
    try #require(chown(file, uid_t.max, group) == 0 && chmod(file, mode) == 0)
    try put("new", as: "a.ics")
    let new = try status(file)
    #expect(new.st_mode == S_IFREG | mode && new.st_gid == group)
    #expect(try folder.read("a.ics") == Array("new".utf8))
  }

  @Test("Behind a link of one's own its target is written, and the link stays") func link() throws {
    let real = elsewhere + "/real.ics"
    #expect(FileManager.default.createFile(atPath: real, contents: Data("old".utf8)))
    try #require(chmod(real, 0o640) == 0 && symlink("../elsewhere/real.ics", folder.path + "/a.ics") == 0)
    try put("new", as: "a.ics")
    #expect(try status(folder.path + "/a.ics").st_mode & S_IFMT == S_IFLNK)
    #expect(try status(real).st_mode == S_IFREG | 0o640)
    #expect(FileManager.default.contents(atPath: real) == Data("new".utf8))
    #expect(try FileManager.default.contentsOfDirectory(atPath: elsewhere) == ["real.ics"])
    try folder.stage(".staged", Array("newer".utf8), as: "a.ics")
    folder.unstage(".staged", as: "a.ics")
    #expect(try FileManager.default.contentsOfDirectory(atPath: elsewhere) == ["real.ics"])
  }

  @Test("What was changed since it was read stays") func changed() throws {
    try put("old", as: "a.ics")
    let read = folder.stamp(of: "a.ics")
    try put("theirs", as: "a.ics")
    try folder.stage(".staged", Array("mine".utf8), as: "a.ics")
    #expect(try !folder.publish(".staged", as: "a.ics", over: read))
    #expect(try folder.read("a.ics") == Array("theirs".utf8))
  }
}
