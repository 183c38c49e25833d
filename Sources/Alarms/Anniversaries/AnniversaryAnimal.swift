import EggTime

extension Anniversary {
  /// The animal of the year of birth (띠): `snake`. Years begin with the Korean lunar new year; nil
  /// before that of 1900 and from 2101 on.
  public var animal: String? {
    let index = birth.year - Self.earliestYear
    guard Self.newYears.indices.contains(index) else { return nil }
    let isBefore = birth.month * 100 + birth.day < Self.newYears[index]
    guard index > 0 || !isBefore else { return nil }
    // 1900 was the year of the rat.
    return Self.animals[(index - (isBefore ? 1 : 0)) % 12]
  }

  private static let animals = [
    translatable("rat"), translatable("ox"), translatable("tiger"), translatable("rabbit"),
    translatable("dragon"), translatable("snake"),
    translatable("horse"), translatable("sheep"), translatable("monkey"), translatable("rooster"),
    translatable("dog"), translatable("pig"),
  ]

  /// The lunar new year (설날) of 1900 to 2100, each as month times 100 plus day.
  ///
  /// It is the day of a new moon in Korean time: until 2050 from the Korea Astronomy and Space Science
  /// Institute, then from ICU's Dangi calendar. Chinese new year is a day earlier in 1944, 1954, 1958, 1966,
  /// 1988, 1997, 2027, 2028, 2061, 2089 and 2092.
  private static let newYears = [
    131,  // 1900
    219, 208, 129, 216, 204, 125, 213, 202, 122, 210,  // 1901
    130, 218, 206, 126, 214, 204, 123, 211, 201, 220,  // 1911
    208, 128, 216, 205, 124, 213, 202, 123, 210, 130,  // 1921
    217, 206, 126, 214, 204, 124, 211, 131, 219, 208,  // 1931
    127, 215, 205, 126, 213, 202, 122, 210, 129, 217,  // 1941
    206, 127, 214, 204, 124, 212, 131, 219, 208, 128,  // 1951
    215, 205, 125, 213, 202, 122, 209, 130, 217, 206,  // 1961
    127, 215, 203, 123, 211, 131, 218, 207, 128, 216,  // 1971
    205, 125, 213, 202, 220, 209, 129, 218, 206, 127,  // 1981
    215, 204, 123, 210, 131, 219, 208, 128, 216, 205,  // 1991
    124, 212, 201, 122, 209, 129, 218, 207, 126, 214,  // 2001
    203, 123, 210, 131, 219, 208, 128, 216, 205, 125,  // 2011
    212, 201, 122, 210, 129, 217, 207, 127, 213, 203,  // 2021
    123, 211, 131, 219, 208, 128, 215, 204, 124, 212,  // 2031
    201, 122, 210, 130, 217, 206, 126, 214, 202, 123,  // 2041
    211, 201, 219, 208, 128, 215, 204, 124, 212, 202,  // 2051
    122, 209, 129, 217, 205, 126, 214, 203, 123, 211,  // 2061
    131, 219, 207, 127, 215, 205, 124, 212, 202, 122,  // 2071
    209, 129, 217, 206, 126, 214, 203, 124, 211, 130,  // 2081
    218, 208, 127, 215, 205, 125, 212, 201, 121, 209,  // 2091
  ]
}
