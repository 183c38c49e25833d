import EggTestSupport
import Foundation
import Testing

@testable import EggDaemon

@Suite struct IconFileTests {
  /// A prefix with the icon in it, removed at the end.
  private func withPrefix(_ name: String, _ body: (URL) throws -> Void) throws {
    let prefix = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
      .appending(path: "egg-icon-\(UUID().uuidString)").appending(path: name)
    let folder = prefix.appending(path: "share/icons/hicolor/scalable/apps")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: prefix.deletingLastPathComponent()) }
    try Data("<svg/>".utf8).write(to: folder.appending(path: "eggd.svg"))
    try FileManager.default.createDirectory(
      at: prefix.appending(path: "bin"), withIntermediateDirectories: true)
    try Data().write(to: prefix.appending(path: "bin/eggd"))
    try body(prefix)
  }

  @Test("The icon of the program's own prefix comes first, then those of the base directories, in order")
  func installed() throws {
    try withPrefix("one") { one in
      try withPrefix("two") { two in
        let icon = "/share/icons/hicolor/scalable/apps/eggd.svg"
        let environment = ["XDG_DATA_DIRS": "/nowhere:\(two.path)/share"]
        #expect(IconFile.installed(environment, program: one.path + "/bin/eggd") == one.path + icon)
        #expect(IconFile.installed(environment, program: "/nowhere/bin/eggd") == two.path + icon)
        let home = ["XDG_DATA_HOME": one.path + "/share", "XDG_DATA_DIRS": two.path + "/share"]
        #expect(IconFile.installed(home, program: nil) == one.path + icon)
        #expect(IconFile.installed(["XDG_DATA_DIRS": "/nowhere"], program: nil) == nil)
      }
    }
  }

  @Test("A URI reads back as the path, whatever marks join its characters")
  func marks() throws {
    for text in MarkedTexts.around("%#?;& /'\"") {
      let uri = try #require(IconFile.uri("/" + text, installed: nil))
      #expect(uri.utf8.allSatisfy { (0x21..<0x7f).contains($0) })
      #expect(
        uri.dropFirst("file://".count).removingPercentEncoding.map { Array($0.utf8) }
          == Array(("/" + text).utf8))
    }
  }

  @Test("A file is named by a URI, another name of the theme by no file")
  func uri() {
    #expect(IconFile.uri("eggd", installed: "/opt/a b/ü.svg") == "file:///opt/a%20b/%C3%BC.svg")
    #expect(IconFile.uri("eggd", installed: nil) == nil)
    #expect(IconFile.uri("/tmp/x.png", installed: "/opt/eggd.svg") == "file:///tmp/x.png")
    #expect(IconFile.uri("clock", installed: "/opt/eggd.svg") == nil)
  }
}
