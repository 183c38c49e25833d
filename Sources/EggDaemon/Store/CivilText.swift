import EggTime

/// A civil time as the column `civil` holds it: `2026-12-24 18:00:00`, with six decimals where there are any.
enum CivilText {
  static func write(_ civil: CivilDateTime) -> String {
    func digits(_ value: Int, _ count: Int) -> String {
      let text = String(value)
      return String(repeating: "0", count: max(0, count - text.count)) + text
    }
    let date = [digits(civil.year, 4), digits(civil.month, 2), digits(civil.day, 2)].joined(separator: "-")
    let time = [digits(civil.hour, 2), digits(civil.minute, 2), digits(civil.second, 2)].joined(
      separator: ":")
    return date + " " + time + (civil.microsecond == 0 ? "" : "." + digits(civil.microsecond, 6))
  }

  /// nil for anything that ``write(_:)`` does not write.
  static func read(_ text: String) -> CivilDateTime? {
    let parts = text.split(omittingEmptySubsequences: false) { "- :.".contains($0) }.map { Int($0) }
    guard parts.count == 6 || parts.count == 7 else { return nil }
    let numbers = parts.compactMap { $0 }
    guard numbers.count == parts.count else { return nil }
    let civil = CivilDateTime(
      year: numbers[0], month: numbers[1], day: numbers[2], hour: numbers[3], minute: numbers[4],
      second: numbers[5], microsecond: numbers.count == 7 ? numbers[6] : 0)
    return write(civil) == text ? civil : nil
  }
}
