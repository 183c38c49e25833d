import Alarms
import EggProtocol
import Gettext
import Glibc
import LinuxIO

/// Whether libcanberra plays a sound. Looks at a file's beginning; what is damaged further on only its player finds.
enum SoundFile {
  /// In bytes.
  private static let headLength = 4_096

  static func canBePlayed(_ path: String) -> Bool {
    guard let bytes = try? SafeFile.read(path, upTo: headLength), bytes.count > 12 else { return false }
    if bytes.text(0, 4) == "OggS" { return bytes.contains([1] + Array("vorbis".utf8)) }
    return bytes.text(0, 4) == "RIFF" && bytes.text(8, 4) == "WAVE" && isPlainWave(bytes)
  }

  /// Samples of 8 or 16 bits, one at least.
  private static func isPlainWave(_ bytes: [UInt8]) -> Bool {
    var (place, isPlain) = (12, false)
    while let size = bytes.number(place + 4, 4) {
      switch bytes.text(place, 4) {
      case "fmt ":
        let format = bytes.number(place + 8, 2)
        isPlain = [1, 0xfffe].contains(format) && [8, 16].contains(bytes.number(place + 22, 2))
      case "data": return isPlain && size > 0
      default: break
      }
      place += 8 + size + size % 2
    }
    // The samples may begin behind what was read.
    return isPlain && place >= Self.headLength
  }

  /// Whether some theme has a sound of that name, or where libcanberra finds none, of its beginning up to a hyphen.
  static func isNamed(_ name: String, _ directories: BaseDirectories) -> Bool {
    let parts = name.split(separator: "-", omittingEmptySubsequences: false)
    let names = parts.indices.map { parts[...$0].joined(separator: "-") }
    return themes(directories).contains { theme in
      names.contains { name in
        ["oga", "ogg", "wav"].contains { access("\(theme)/\(name).\($0)", F_OK) == 0 }
      }
    }
  }

  static func hasTheme(_ directories: BaseDirectories) -> Bool { !themes(directories).isEmpty }

  /// The folders with the sounds of themes.
  private static func themes(_ directories: BaseDirectories) -> [String] {
    directories.allData.flatMap { directory in
      (FileSystem.names(in: "\(directory)/sounds") ?? []).map { "\(directory)/sounds/\($0)/stereo" }
    }.filter { FileSystem.names(in: $0) != nil }
  }
}

extension [UInt8] {
  fileprivate func text(_ place: Int, _ length: Int) -> String? {
    place + length <= count ? String(decoding: self[place..<place + length], as: UTF8.self) : nil
  }

  /// Little-endian.
  fileprivate func number(_ place: Int, _ length: Int) -> Int? {
    guard place + length <= count else { return nil }
    return self[place..<place + length].reversed().reduce(0) { $0 << 8 | Int($1) }
  }
}

extension Surroundings {
  /// Says which sounds of these alarms cannot be played.
  func warnUnlessHeard(for alarms: [WireAlarm], _ form: AnswerForm) throws {
    // Those of another machine are its own.
    guard form == .text, host == nil else { return }
    for text in Set(alarms.compactMap(\.sound)).sorted() {
      switch AlarmSound(text) {
      case .file(let path) where !SoundFile.canBePlayed(path):
        try output.note(
          tr(
            "'\(path.visible)' cannot be played, the usual sound is heard instead: eggd plays WAV and Ogg Vorbis"
          ))
        try output.hint("ffmpeg -i \(path.shellQuoted) \((path + ".wav").shellQuoted)")
      case .named(let name) where SoundFile.hasTheme(directories) && !SoundFile.isNamed(name, directories):
        try output.note(
          tr("the sound theme has no '\(name.visible)', the usual sound is heard instead"))
        try output.hint("ls /usr/share/sounds/freedesktop/stereo")
      default: break
      }
    }
  }
}
