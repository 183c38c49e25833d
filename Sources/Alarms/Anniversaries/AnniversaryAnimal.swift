import EggTime

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
