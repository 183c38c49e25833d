import CLibc

/// `eggd-sound SECONDS fade|full SOUND...`: plays the first of these sounds that can be played, each a name of the sound
/// theme or a file. It is repeated for so long, each time louder from half volume with `fade`, or played once for 0. eggd
/// runs it for each ring. It is a process of its own, because a sound server may hang and a library may crash.
///
/// Prints each sound that cannot be played on a line. SIGTERM ends it, and so does that time, or a minute for 0.
/// `eggd-sound --check` plays nothing and says whether there are libcanberra and a sound server.
@main
struct EggdSound {
  /// Why it could not play, as eggd reads it (`SoundPlayer.problem(status:)`).
  private enum Status: CInt {
    case played = 0
    case usage = 64
    /// None of the sounds can be found and read.
    case noSound = 66
    /// There is no libcanberra.
    case noLibrary = 69
    /// There is no sound server, or it took no sound.
    case noServer = 75
  }

  /// In seconds. A file may be a whole song.
  private static let longest: UInt32 = 60
  /// In seconds. A sound server that has not answered by then hangs. One that plays may have to wake up first.
  private static let patience: (check: UInt32, play: UInt32) = (3, 20)

  static func main() {
    let arguments = arguments.dropFirst()
    let isCheck = arguments.first.map { $0.utf8.elementsEqual("--check".utf8) } ?? false
    signal(SIGALRM) { _ in _exit(Status.noServer.rawValue) }
    alarm(isCheck ? patience.check : patience.play)
    guard let canberra = Canberra() else { end(.noLibrary) }
    guard canberra.open() == 0 else { end(.noServer) }
    if isCheck { end(.played) }
    guard arguments.count > 2, let seconds = arguments.first.flatMap({ UInt32($0) }) else { end(.usage) }
    clibc_default(SIGALRM)
    alarm(seconds == 0 ? longest : seconds)
    let fades = arguments.dropFirst().first.map { $0.utf8.elementsEqual("fade".utf8) } ?? false
    let ring = RepeatedSound(canberra, seconds: Double(seconds), fades: fades)
    for sound in arguments.dropFirst(2) {
      switch ring.play(sound) {
      case 0: end(.played)
      case let problem where Canberra.Problem.ofSound.contains(problem): print(sound)
      default: end(.noServer)
      }
    }
    end(.noSound)
  }

  /// proc_pid_cmdline(5), as Embedded Swift has no CommandLine.
  private static var arguments: [String] {
    let file = clibc_open_to_read("/proc/self/cmdline")
    defer { close(file) }
    var bytes: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 4_096)
    while case let count = read(file, &part, part.count), count > 0 { bytes += part[..<count] }
    return bytes.split(separator: 0, omittingEmptySubsequences: false).dropLast()
      .map { String(decoding: $0, as: UTF8.self) }
  }

  private static func print(_ line: String) {
    var line = line + "\n"
    line.withUTF8 { _ = write(1, $0.baseAddress, $0.count) }
  }

  /// Leaves the library as it is: it may be in the midst of its work on another thread.
  private static func end(_ status: Status) -> Never { _exit(status.rawValue) }
}
