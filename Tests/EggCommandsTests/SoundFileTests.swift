import Foundation
import LinuxIO
import Testing

@testable import EggCommands

@Suite("Which sounds can be played")
struct SoundFileTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "sounds-\(UUID().uuidString)")

  init() throws {
    try FileManager.default.createDirectory(
      at: folder.appending(path: "sounds/theme/stereo"), withIntermediateDirectories: true)
    try Data().write(to: folder.appending(path: "sounds/theme/stereo/bell.oga"))
  }

  private static func wave(bits: UInt8, size: UInt8, format: UInt8 = 1) -> [UInt8] {
    Array("RIFF....WAVEfmt ".utf8) + [
      16, 0, 0, 0, format, 0, 1, 0, 64, 31, 0, 0, 128, 62, 0, 0, 2, 0, bits, 0,
    ]
      + Array("LIST".utf8) + [3, 0, 0, 0, 1, 2, 3, 0] + Array("data".utf8) + [size, 0, 0, 0]
  }

  private static let page = Array("OggS".utf8) + [UInt8](repeating: 0, count: 24)

  @Test(
    "Waves of 8 and 16 bits and Ogg Vorbis can be played, other files cannot",
    arguments: [
      (wave(bits: 16, size: 2), true), (wave(bits: 8, size: 1), true), (wave(bits: 24, size: 3), false),
      (wave(bits: 16, size: 0), false), (wave(bits: 16, size: 2, format: 3), false),
      (Array("RIFF....WAVEfmt ".utf8), false), (page + [1] + Array("vorbis".utf8), true),
      (page + Array("OpusHead".utf8), false), (Array("ID3.............".utf8), false), ([], false),
    ] as [([UInt8], Bool)])
  func files(bytes: [UInt8], isPlayed: Bool) throws {
    let file = folder.appending(path: "sound")
    try Data(bytes).write(to: file)
    #expect(SoundFile.canBePlayed(file.path) == isPlayed)
  }

  @Test("A name is that of a sound, or begins with one")
  func names() {
    let directories = BaseDirectories { [folder] in
      ["XDG_DATA_HOME": "/nonexistent", "XDG_DATA_DIRS": folder.path][$0]
    }
    #expect(SoundFile.isNamed("bell", directories))
    #expect(SoundFile.isNamed("bell-loud", directories))
    #expect(!SoundFile.isNamed("bel", directories))
    #expect(SoundFile.hasTheme(directories))
    #expect(!SoundFile.hasTheme(BaseDirectories { _ in "/nonexistent" }))
  }
}
