/// The formats in which people can have moments shown. As text: an option's value and the configuration's.
public enum DateFormat: String, CaseIterable, Sendable {
  /// `2026. 11. 20. 21:41:00`
  case dotted
  /// RFC 3339 on the local clock: `2026-11-20T21:41:00+09:00`
  case iso
  /// As the locale of LC_TIME writes it.
  case locale
}

/// Words moments in one format. All are truncated to the second.
public struct MomentFormat: Sendable {
  public let format: DateFormat
  /// For ``DateFormat/locale``.
  private let locale: TimeLocale?

  public static let dotted = MomentFormat(.dotted)

  /// Reads the files of a locale if the format needs them; an empty name is that of the environment.
  public init(_ format: DateFormat, locale name: String = "") {
    self.format = format
    locale = format == .locale ? TimeLocale(name) : nil
  }

  public func text(_ instant: Instant, in zone: Zone) -> String {
    switch format {
    case .dotted: Self.dotted(zone.civil(at: instant))
    case .iso: Self.iso(instant, in: zone)
    case .locale:
      locale?.text(zone.civil(at: instant), "%c", zone: zone.period(at: instant))
        ?? Self.dotted(zone.civil(at: instant))
    }
  }

  /// A time on a clock that is not known.
  public func text(_ civil: CivilDateTime) -> String {
    switch format {
    case .dotted: Self.dotted(civil)
    case .iso: Self.iso(civil)
    case .locale: locale?.text(civil, "%x %X") ?? Self.dotted(civil)
    }
  }

  public func date(_ civil: CivilDateTime) -> String {
    switch format {
    case .dotted: Self.dotted(civil, withTime: false)
    case .iso: String(Self.iso(civil).prefix(10))
    case .locale: locale?.text(civil, "%x") ?? Self.dotted(civil, withTime: false)
    }
  }

  /// For narrow columns: without the year and the offset, and without seconds unless they are asked for. A locale's
  /// date keeps its year.
  public func short(_ civil: CivilDateTime, seconds: Bool) -> String {
    switch format {
    case .dotted: String(Self.dotted(civil).dropFirst(6).dropLast(seconds ? 0 : 3))
    case .iso: String(Self.iso(civil).replacing("T", with: " ").dropFirst(5).dropLast(seconds ? 0 : 3))
    case .locale:
      locale?.text(civil, seconds ? "%x %X" : "%x %H:%M")
        ?? MomentFormat.dotted.short(civil, seconds: seconds)
    }
  }

  /// `07:30:00`, the time of day alone.
  public func time(_ civil: CivilDateTime) -> String {
    locale?.text(civil, "%X") ?? String(Self.dotted(civil).suffix(8))
  }

  /// An expression too, so that what was shown can be typed.
  private static func dotted(_ civil: CivilDateTime, withTime: Bool = true) -> String {
    withTime ? Digits.text(of: civil, date: ". ", then: ". ") : Digits.text(of: civil, date: ". ") + "."
  }

  private static func iso(_ instant: Instant, in zone: Zone) -> String {
    // An offset of RFC 3339 has no seconds; those of old local times do.
    let zone = Zone.fixed(offset: zone.period(at: instant).offset / 60 * 60)
    return iso(zone.civil(at: instant)) + zone.identifier
  }

  /// Without an offset.
  private static func iso(_ civil: CivilDateTime) -> String {
    Digits.text(of: civil, then: "T")
  }
}
