import EggTestSupport
import Glibc
import Testing

@testable import EggTime

/// How a zone's name and file are found. Each test has its own folder.
@Suite struct MachineZoneTests {
  /// A folder removed with its owner.
  final class Folder {
    let path: String

    init() throws {
      var template = Array("/tmp/eggtime-XXXXXX".utf8CString)
      path = String(cString: try #require(mkdtemp(&template)))
    }

    deinit { removeAll(path) }

    private func removeAll(_ path: String) {
      if let folder = opendir(path) {
        while let entry = readdir(folder) {
          let name = withUnsafePointer(to: &entry.pointee.d_name) {
            $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
          }
          if name != ".", name != ".." { removeAll("\(path)/\(name)") }
        }
        closedir(folder)
      }
      remove(path)
    }

    func write(_ name: String, _ bytes: [UInt8]) throws {
      let file = try #require(fopen("\(path)/\(name)", "w"))
      fwrite(bytes, 1, bytes.count, file)
      fclose(file)
    }

    func link(_ name: String, to target: String) throws {
      try #require(symlink(target, "\(path)/\(name)") == 0)
    }

    var zones: ZoneDirectory { ZoneDirectory(path: path) }
  }

  private static let machine = ZoneDirectory.machine.path
  private static let paris = bytes("Europe/Paris")

  private static func bytes(_ name: String) -> [UInt8] {
    guard let file = fopen("/usr/share/zoneinfo/\(name)", "r") else { return [] }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    let count = fread(&bytes, 1, 1 << 16, file)
    return Array(bytes.prefix(count))
  }

  private static let winter = Instant(microseconds: 1_800_000_000_000_000)

  @Test("Without TZ, localtime's link names the zone")
  func linked() throws {
    let folder = try Folder()
    try folder.link("localtime", to: "/usr/share/zoneinfo/Europe/Budapest")
    let zone = try ZoneSource(directory: Self.machine, link: "\(folder.path)/localtime").localOrUTC()
    #expect(zone.identifier == "Europe/Budapest")
    #expect(zone.path == "\(ZoneDirectory.machine.path)/Europe/Budapest")
    #expect(zone.offset(at: Self.winter) == 3_600)
  }

  @Test("A chain of links from localtime is followed")
  func linkedTwice() throws {
    let folder = try Folder()
    try folder.link("second", to: "/usr/share/zoneinfo/Asia/Kolkata")
    try folder.link("localtime", to: "second")
    let zone = try ZoneSource(directory: Self.machine, link: "\(folder.path)/localtime").localOrUTC()
    #expect(zone.identifier == "Asia/Kolkata")
  }

  @Test("A localtime that is a regular file is called localtime")
  func copied() throws {
    let folder = try Folder()
    try folder.write("localtime", Self.paris)
    let zone = try ZoneSource(directory: Self.machine, link: "\(folder.path)/localtime").localOrUTC()
    #expect(zone.identifier == "localtime")
    #expect(zone.path == "\(folder.path)/localtime")
    #expect(zone.abbreviation(at: Self.winter) == "CET")
    #expect(zone.digest == (try Zone.named("Europe/Paris").digest))
  }

  @Test("Without localtime the zone is UTC")
  func missing() throws {
    let folder = try Folder()
    let zone = try ZoneSource(directory: Self.machine, link: "\(folder.path)/localtime").localOrUTC()
    #expect(zone.identifier == "UTC")
  }

  @Test("For callers that keep a zone, a missing localtime is an error, and a returned one is read again")
  func source() throws {
    let folder = try Folder()
    let source = ZoneSource(directory: folder.path, link: "\(folder.path)/localtime")
    #expect(throws: ZoneError.unreadable(path: "\(folder.path)/localtime", code: ENOENT)) {
      try source.local()
    }
    try folder.link("localtime", to: "\(folder.path)/Paris")
    #expect(throws: ZoneError.unknown("Paris")) { try source.local() }
    try folder.write("Paris", Self.paris)
    #expect(try source.local().identifier == "Paris")
    #expect(try source.zone(named: "UTC").identifier == "UTC")
    #expect(source.path(ofZone: "Paris") == "\(folder.path)/Paris")
    #expect(source.path(ofZone: "UTC") == nil && source.path(ofZone: "../etc/passwd") == nil)
    #expect(source.localPath == "\(folder.path)/localtime")
    let named = ZoneSource(directory: folder.path, link: "/nonexistent", variable: "Paris")
    #expect(try named.local().path == "\(folder.path)/Paris")
    #expect(named.localPath == nil)
  }

  @Test(
    "TZ names a zone, a file or a rule",
    arguments: [
      (":Europe/Paris", "Europe/Paris", 3_600), ("Europe/Paris", "Europe/Paris", 3_600), ("", "UTC", 0),
      ("UTC", "UTC", 0), (":", "UTC", 0), ("/usr/share/zoneinfo/Asia/Tokyo", "Asia/Tokyo", 32_400),
      ("<+0330>-3:30", "<+0330>-3:30", 12_600), ("XYZ4", "XYZ4", -14_400),
    ])
  func variable(text: String, identifier: String, offset: Int) throws {
    let zone = try ZoneSource(directory: Self.machine, link: "/nonexistent", variable: text).localOrUTC()
    #expect(zone.identifier == identifier)
    #expect(zone.offset(at: Self.winter) == offset)
  }

  @Test(
    "Any other TZ is an error", arguments: ["Europe/Nowhere", "../../etc/passwd", "nonsense"])
  func wrongVariable(text: String) {
    #expect(throws: ZoneError.self) {
      try ZoneSource(directory: Self.machine, link: "/nonexistent", variable: text).localOrUTC()
    }
  }

  @Test(
    "An impossible zone name is refused before any file is opened",
    arguments: [
      "", "/etc/passwd", "../zoneinfo/Europe/Paris", "Europe/../Europe/Paris", "Europe//Paris",
      "Europe/Paris/",
      ".", "Europe/.hidden", "-x", "Europe/Pa ris", "Europe/Pàris", "a\0b",
      String(repeating: "a", count: 256),
    ])
  func identifiers(text: String) {
    #expect(throws: ZoneError.invalidIdentifier(text)) { try Zone.named(text) }
  }

  @Test("A name without a zone is unknown", arguments: ["Europe/Nowhere", "Europe", "Europe/Paris/Nord"])
  func unknown(text: String) {
    #expect(throws: ZoneError.unknown(text)) { try Zone.named(text) }
  }

  @Test("A file that is not zone data, too large or not regular is malformed")
  func malformed() throws {
    let folder = try Folder()
    try folder.write("Text", Array("# not a zone".utf8))
    try folder.write("Empty", [])
    try folder.write("Large", Self.paris + [UInt8](repeating: 0, count: 1 << 20))
    try #require(mkfifo("\(folder.path)/Fifo", 0o600) == 0)
    for name in ["Text", "Empty", "Large", "Fifo"] {
      #expect(throws: ZoneError.malformed(path: "\(folder.path)/\(name)")) {
        try folder.zones.zone(named: name)
      }
    }
  }

  @Test("The digest changes with the file only")
  func digest() throws {
    let folder = try Folder()
    try folder.write("A", Self.paris)
    let before = try folder.zones.zone(named: "A").digest
    #expect(try folder.zones.zone(named: "A").digest == before)
    try folder.write("A", Self.bytes("Europe/London"))
    #expect(try folder.zones.zone(named: "A").digest != before)
  }
}
