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
    var zonesOfCountry: [Substring: Set<String>] = [:]
    for table in ["zone1970.tab", "zone.tab"] {
      for columns in directory.rows(of: table) where columns.count >= 3 {
        let zone = String(columns[2])
        let city = zone.split(separator: "/").last.map { $0.replacing("_", with: " ").lowercased() } ?? ""
        zones[city] = .some(zone)
        if table == "zone1970.tab" { cities[city] = zone }
        guard table == "zone.tab" else { continue }
        zonesOfCountry[columns[0], default: []].insert(zone)
      }
    }
    cityLetters = cities.keys.filter { $0.utf8.count >= 5 }.sorted().map { Array($0.utf8) }
    for columns in directory.rows(of: "iso3166.tab") where columns.count >= 2 {
      let name = columns[1].split(separator: " (").first.map { $0.lowercased() } ?? ""
      guard cities[name] == nil else { continue }
      let all = zonesOfCountry[columns[0]] ?? []
      // There are two Koreas.
      zones[name] = .some(all.count == 1 && zones[name] == nil ? all.first : nil)
    }
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
