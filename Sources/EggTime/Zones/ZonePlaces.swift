/// Cities and countries of the zone database's tables, by their English names.
struct ZonePlaces: Sendable {
  /// By name in lower case: the zone; nil when the place has several.
  private var zones: [String: String?] = [:]
  /// Of the cities, by name in lower case.
  private var cities: [String: String] = [:]

  /// Of cities of at least five letters.
  private var cityLetters: [[UInt8]] = []

  /// Read once.
  static let machine = ZonePlaces(of: .machine)

  init(of directory: ZoneDirectory) {
    // Bytes: as text they would take five times as long.
    var zonesOfCountry: [ArraySlice<UInt8>: Set<String>] = [:]
    for table in ["zone1970.tab", "zone.tab"] {
      for columns in directory.rows(of: table) where columns.count >= 3 {
        let zone = String(decoding: columns[2], as: UTF8.self)
        let city = Self.name(columns[2].split(separator: UInt8(ascii: "/")).last ?? [])
        zones[city] = .some(zone)
        if table == "zone1970.tab" { cities[city] = zone }
        guard table == "zone.tab" else { continue }
        zonesOfCountry[columns[0], default: []].insert(zone)
      }
    }
    cityLetters = cities.keys.filter { $0.utf8.count >= 5 }.sorted().map { Array($0.utf8) }
    for columns in directory.rows(of: "iso3166.tab") where columns.count >= 2 {
      let name = Self.name(columns[1].prefix { $0 != UInt8(ascii: "(") })
      guard cities[name] == nil else { continue }
      let all = zonesOfCountry[columns[0]] ?? []
      // There are two Koreas.
      zones[name] = .some(all.count == 1 && zones[name] == nil ? all.first : nil)
    }
  }

  /// In lower case: `new york` of `New_York`, `korea` of `Korea (South)`.
  private static func name(_ bytes: ArraySlice<UInt8>) -> String {
    let blank = UInt8(ascii: " ")
    let letters = bytes.map { $0 == UInt8(ascii: "_") ? blank : $0 }
    return String(decoding: letters.last == blank ? letters.dropLast() : letters[...], as: UTF8.self)
      .lowercased()
  }

  /// Whether a text, in any case, is a place.
  func contains(_ text: String) -> Bool { zones[text.lowercased()] != nil }

  /// The zone of a city of zone1970.tab, in any case; nil for any other text.
  func zone(ofCity text: String) -> String? { cities[text.lowercased()] }

  /// The city of which a word of at least five letters is likely a typo, in lower case.
  func city(near word: String) -> String? {
    let letters = Array(word.lowercased().utf8)
    guard letters.count >= 5 else { return nil }
    return cityLetters.first { $0 != letters && Spelling.areWithin(1, letters[...], $0[...]) }
      .map { String(decoding: $0, as: UTF8.self) }
  }

  /// The zone of a place; nil for none and for several.
  func zone(of text: String) -> String? { zones[text.lowercased()] ?? nil }
}
