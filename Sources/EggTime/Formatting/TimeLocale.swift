import Glibc

/// How a locale writes dates and times (LC_TIME, locale(5)). Unlike setlocale(3), it changes nothing for the rest of the
/// process.
final class TimeLocale: @unchecked Sendable {
  // Never changed after init, and strftime_l(3) only reads it.
  private let locale: locale_t

  /// nil for a locale that this machine does not have. `name` is empty for that of the environment.
  init?(_ name: String) {
    guard let locale = newlocale(1 << LC_TIME, name, nil) else { return nil }
    self.locale = locale
  }

  deinit { freelocale(locale) }

  /// `format` as strftime(3) has it. nil if the text is not UTF-8, or empty. Without `zone` the format must not ask for
  /// one.
  func text(
    _ civil: CivilDateTime, _ format: String,
    zone: (offset: Int, abbreviation: String, end: Instant?)? = nil
  ) -> String? {
    var time = tm()
    (time.tm_year, time.tm_mon, time.tm_mday) = (
      Int32(civil.year - 1900), Int32(civil.month - 1), Int32(civil.day)
    )
    time.tm_hour = Int32(civil.hour)
    time.tm_min = Int32(civil.minute)
    time.tm_sec = Int32(civil.second)
    time.tm_wday = Int32((civil.weekday.rawValue + 1) % 7)
    let newYear = CivilDateTime(year: civil.year, month: 1, day: 1)
    time.tm_yday = Int32(civil.dayNumber - newYear.dayNumber)
    time.tm_gmtoff = zone?.offset ?? 0
    return (zone?.abbreviation ?? "").withCString { abbreviation in
      time.tm_zone = abbreviation
      var bytes = [CChar](repeating: 0, count: 256)
      let count = strftime_l(&bytes, bytes.count, format, &time, locale)
      guard count > 0 else { return nil }
      return String(validating: bytes[..<count].lazy.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
  }
}
