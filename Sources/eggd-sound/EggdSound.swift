import Glibc

/// `eggd-sound NAME|FILE`: plays one sound of the sound theme, or a file, to its end. eggd runs it for each ring that no
/// notification server makes heard. It is a process of its own, because a sound server may hang and a library may crash.
///
/// SIGTERM ends it, and so does a minute. `eggd-sound --check` plays nothing and says whether there is libcanberra.
@main
struct EggdSound {
  /// Why it could not play, as eggd reads it (`SoundPlayer.Outcome`).
  private enum Status: CInt {
    case played = 0
    case usage = 64
    /// Neither the sound nor the usual one can be found or read.
    case noSound = 66
    /// There is no libcanberra.
    case noLibrary = 69
    /// There is no sound server, or it took no sound.
    case noServer = 75
  }

  private static let usualSound = "alarm-clock-elapsed"
  /// In seconds. A file may be a whole song.
  private static let longest: UInt32 = 60

  static func main() {
    guard CommandLine.argc == 2 else { end(.usage) }
    // Even where the sound server hangs.
    alarm(longest)
    guard let canberra = Canberra() else { end(.noLibrary) }
    let asked = CommandLine.arguments[1]
    if asked == "--check" { end(.played) }
    var result = begin(canberra, asked)
    // Something is to be heard, although the file is gone or the theme has no such sound.
    if result == Canberra.Problem.notFound, asked != usualSound { result = begin(canberra, usualSound) }
    switch result {
    case 0: while true { pause() }
    case Canberra.Problem.notFound: end(.noSound)
    default: end(.noServer)
    }
  }

  private static func begin(_ canberra: Canberra, _ sound: String) -> CInt {
    var status = stat()
    let isFile = sound.hasPrefix("/")
    // The library would wait for a FIFO.
    if isFile, stat(sound, &status) != 0 || status.st_mode & S_IFMT != S_IFREG {
      return Canberra.Problem.notFound
    }
    let key = isFile ? "media.filename" : "event.id"
    let properties: KeyValuePairs = [
      key: sound, "event.description": "Alarm", "application.name": "Egg Timer",
      "application.icon_name": "eggd",
    ]
    return canberra.play(properties) { _, _, result, _ in
      EggdSound.end(result == 0 ? .played : .noServer)
    }
  }

  /// Leaves the library as it is: it may be in the midst of its work on another thread.
  private static func end(_ status: Status) -> Never { _exit(status.rawValue) }
}
