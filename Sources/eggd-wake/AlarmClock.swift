import CLibc

/// The clock that wakes the machine, rtc(4).
enum AlarmClock {
  private static let directory = "/sys/class/rtc"

  /// Whether the machine has a clock with an alarm that may wake it. The kernel arms the timer all the same.
  static var isThere: Bool {
    guard let clocks = opendir(directory) else { return false }
    defer { closedir(clocks) }
    while let entry = readdir(clocks) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      let clock = "\(directory)/\(name)"
      if access(clock + "/wakealarm", F_OK) == 0, begins(clock + "/device/power/wakeup", with: "enabled") {
        return true
      }
    }
    return false
  }

  private static func begins(_ path: String, with word: String) -> Bool {
    let file = clibc_open_to_read(path)
    guard file >= 0 else { return false }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: word.utf8.count)
    return read(file, &bytes, bytes.count) == bytes.count && bytes == Array(word.utf8)
  }
}
