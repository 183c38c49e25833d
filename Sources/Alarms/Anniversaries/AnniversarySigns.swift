extension Anniversary {
  /// The zodiac sign (별자리): `Sagittarius (사수자리)`.
  public var starSign: String {
    let date = birth.month * 100 + birth.day
    return Self.starSigns.last { $0.from <= date }?.name ?? Self.capricorn
  }

  /// The birthstone (탄생석): `topaz (토파즈)`.
  public var birthstone: String { Self.birthstones[birth.month - 1] }

  private static let capricorn = "Capricorn (염소자리)"

  /// First days as month times 100 plus day, in the order of the year; Capricorn continues into January.
  /// Dates from the Encyclopædia Britannica.
  private static let starSigns: [(from: Int, name: String)] = [
    (120, "Aquarius (물병자리)"), (219, "Pisces (물고기자리)"), (321, "Aries (양자리)"),
    (420, "Taurus (황소자리)"), (521, "Gemini (쌍둥이자리)"), (622, "Cancer (게자리)"),
    (723, "Leo (사자자리)"), (823, "Virgo (처녀자리)"), (923, "Libra (천칭자리)"),
    (1024, "Scorpio (전갈자리)"), (1122, "Sagittarius (사수자리)"), (1222, capricorn),
  ]

  /// From January on; the first stone of each month.
  private static let birthstones = [
    "garnet (가넷)", "amethyst (자수정)", "aquamarine (아쿠아마린)", "diamond (다이아몬드)",
    "emerald (에메랄드)", "pearl (진주)", "ruby (루비)", "peridot (페리도트)", "sapphire (사파이어)",
    "opal (오팔)", "topaz (토파즈)", "turquoise (터키석)",
  ]
}
