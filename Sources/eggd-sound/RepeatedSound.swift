import CLibc

struct RepeatedSound {
  /// In seconds, from the beginning of one to that of the next: not every sound server waits for a sound's end.
  private static let shortest = 1.0

  private let canberra: Canberra
  private let seconds: Double
  private let fades: Bool
  private let begun = now

  init(_ canberra: Canberra, seconds: Double, fades: Bool) {
    self.canberra = canberra
    self.seconds = seconds
    self.fades = fades
  }

  /// Plays it until the time is over, at least once.
  ///
  /// - Returns: 0, or why it could not be played, a code of ``Canberra/Problem``.
  func play(_ sound: String) -> CInt {
    guard isReadable(sound) else { return Canberra.Problem.notFound }
    repeat {
      let start = Self.now
      let problem = canberra.play(properties(of: sound, at: start - begun))
      guard problem == 0 else { return problem }
      let rest = start + Self.shortest - Self.now
      if seconds > 0, rest > 0 { usleep(UInt32(rest * 1_000_000)) }
    } while Self.now - begun < seconds
    return 0
  }

  /// The library would wait for a FIFO.
  private func isReadable(_ sound: String) -> Bool {
    guard isPath(sound) else { return true }
    var status = stat()
    return stat(sound, &status) == 0 && clibc_is_file(status.st_mode) != 0 && access(sound, R_OK) == 0
  }

  private func isPath(_ sound: String) -> Bool { sound.utf8.first == UInt8(ascii: "/") }

  private func properties(of sound: String, at moment: Double) -> KeyValuePairs<String, String> {
    let loudness = fades && seconds > 0 ? min(1, 0.5 + 0.5 * moment / seconds) : 1
    return [
      isPath(sound) ? "media.filename" : "event.id": sound, "event.description": "Alarm",
      "application.name": "Egg Timer", "application.icon_name": "eggd",
      "canberra.volume": "\(20 * log10(loudness))",
    ]
  }

  /// In seconds of a clock that nobody sets.
  private static var now: Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
