import EggTime
import Foundation

/// Zone files and a localtime of a test's own, changed as tzdata's package and timedatectl change them.
package final class ZoneFolder: Sendable {
  private static let usual = URL(filePath: "/usr/share/zoneinfo")
  /// Those that there are.
  package static let names = [
    "Europe/Berlin", "Europe/Paris", "Europe/London", "Asia/Tokyo", "America/New_York",
  ]
  package let root: URL

  package var zones: URL { root.appending(path: "zoneinfo") }
  package var link: URL { root.appending(path: "etc/localtime") }
  package var source: ZoneSource { ZoneSource(directory: zones.path, link: link.path) }

  /// The machine is in that zone; its files are those of this machine.
  package init(_ zone: String, in folder: URL = FileManager.default.temporaryDirectory) throws {
    root = folder.appending(path: "eggd-zones-\(UUID().uuidString)")
    try FileManager.default.createDirectory(
      at: root.appending(path: "etc"), withIntermediateDirectories: true)
    for name in Self.names { try update(name, to: name) }
    try move(to: zone)
  }

  deinit { try? FileManager.default.removeItem(at: root) }

  package func file(_ zone: String) -> URL { zones.appending(path: zone) }

  /// Replaces /etc/localtime by a rename.
  package func move(to zone: String) throws {
    let new = root.appending(path: "etc/localtime.new").path
    try FileManager.default.createSymbolicLink(atPath: new, withDestinationPath: file(zone).path)
    rename(new, link.path)
  }

  /// A zone gets the rules that another has on this machine.
  package func update(_ zone: String, to other: String) throws {
    try write(Data(contentsOf: Self.usual.appending(path: other)), to: zone)
  }

  /// A zone's file gets these bytes, by a rename.
  package func write(_ bytes: Data, to zone: String) throws {
    let folder = file(zone).deletingLastPathComponent()
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try bytes.write(to: file(zone), options: .atomic)
  }

  package func remove(_ file: URL) throws { try FileManager.default.removeItem(at: file) }
}
