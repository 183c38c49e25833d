import EggTime

extension Anniversary {
  /// The zodiac sign (별자리): `Sagittarius`.
  public var starSign: String {
    let date = birth.month * 100 + birth.day
    return Self.starSigns.last { $0.from <= date }?.name ?? Self.capricorn
  }

  /// The birthstone (탄생석): `topaz`.
  public var birthstone: String { Self.birthstones[birth.month - 1] }

  private static let capricorn = translatable("Capricorn")

  /// First days as month times 100 plus day, in the order of the year; Capricorn continues into January.
  /// Dates from the Encyclopædia Britannica.
  private static let starSigns: [(from: Int, name: String)] = [
    (120, translatable("Aquarius")), (219, translatable("Pisces")), (321, translatable("Aries")),
    (420, translatable("Taurus")), (521, translatable("Gemini")), (622, translatable("Cancer")),
    (723, translatable("Leo")), (823, translatable("Virgo")), (923, translatable("Libra")),
    (1024, translatable("Scorpio")), (1122, translatable("Sagittarius")), (1222, capricorn),
  ]

  /// From January on; the first stone of each month.
  private static let birthstones = [
    translatable("garnet"), translatable("amethyst"), translatable("aquamarine"), translatable("diamond"),
    translatable("emerald"), translatable("pearl"), translatable("ruby"), translatable("peridot"),
    translatable("sapphire"),
    translatable("opal"), translatable("topaz"), translatable("turquoise"),
  ]
}

extension Anniversary {
  /// The animal of the year of birth (띠): `snake`. Years begin with the Korean lunar new year (설날); nil outside
  /// of ``EggTime/LunarDate/years``.
  public var animal: String? {
    // 1900 was the year of the rat.
    LunarDate(birth.midnight).map { Self.animals[($0.year - 1_900) % 12] }
  }

  private static let animals = [
    translatable("rat"), translatable("ox"), translatable("tiger"), translatable("rabbit"),
    translatable("dragon"), translatable("snake"),
    translatable("horse"), translatable("sheep"), translatable("monkey"), translatable("rooster"),
    translatable("dog"), translatable("pig"),
  ]
}
