extension Evaluation {
  /// The clock of the zone that was typed, or of the context.
  struct Clock {
    var zone: Zone
    /// As stored; nil for the context's clock and for a fixed one.
    var name: String?
    /// An offset, `Z` or an abbreviation: changes of zone data do not affect it.
    var isFixed: Bool
  }

  func clock(_ form: ZoneForm?) throws(Misread) -> Clock {
    switch form {
    case nil: return Clock(zone: context.zone, name: nil, isFixed: false)
    case .offset(let seconds): return Clock(zone: .fixed(offset: seconds), name: nil, isFixed: true)
    case .named(let name, let offset): return try clock(named: name, at: offset)
    }
  }

  private func clock(named name: String, at offset: Int) throws(Misread) -> Clock {
    if Self.isUniversal(name) { return Clock(zone: .utc, name: "UTC", isFixed: false) }
    if name == context.zone.identifier, ZoneDirectory.isIdentifier(name) {
      return Clock(zone: context.zone, name: name, isFixed: false)
    }
    let known = context.zone.abbreviations(around: context.now)
    if let local = known.first(where: { $0.name == name }) {
      return Clock(zone: .fixed(offset: local.offset), name: nil, isFixed: true)
    }
    // Names without a slash are old aliases, words (Turkey, Cuba, Navajo), or abbreviations from other zones.
    guard name.contains("/") else { throw notNamed(name, at: offset) }
    do throws(ZoneError) {
      return Clock(zone: try context.loadZone(name), name: name, isFixed: false)
    } catch {
      switch error {
      case .invalidIdentifier, .unknown:
        throw Misread(.unknownZone, at: offset)
      case .unreadable, .malformed:
        throw Misread(.unusableZone, at: offset)
      }
    }
  }

  private func notNamed(_ name: String, at offset: Int) -> Misread {
    let instead = ForeignZones.name(of: name) ?? ZonePlaces.machine.zone(of: name)
    let isZone = instead != nil || ZonePlaces.machine.contains(name) || (try? context.loadZone(name)) != nil
    var misread = Misread(isZone ? .foreignAbbreviation : .unknownZone, at: offset)
    misread.range = offset..<offset + name.utf8.count
    misread.replacement = instead
    return misread
  }

  static func isUniversal(_ name: String) -> Bool {
    let lower = name.lowercased()
    return lower == "utc" || lower == "gmt"
  }
}

/// Common names of zones that the zone database calls otherwise.
enum ForeignZones {
  /// The zone with that abbreviation or old name, in any case; nil when unknown.
  static func name(of word: String) -> String? { names[word.lowercased()] }

  private static let names = [
    "est": "America/New_York", "edt": "America/New_York", "cst": "America/Chicago", "cdt": "America/Chicago",
    "mst": "America/Denver", "mdt": "America/Denver", "pst": "America/Los_Angeles",
    "pdt": "America/Los_Angeles", "akst": "America/Anchorage", "akdt": "America/Anchorage",
    "hst": "Pacific/Honolulu", "bst": "Europe/London", "wet": "Europe/Lisbon", "west": "Europe/Lisbon",
    "cet": "Europe/Paris", "cest": "Europe/Paris", "met": "Europe/Paris", "eet": "Europe/Helsinki",
    "eest": "Europe/Helsinki", "msk": "Europe/Moscow", "ist": "Asia/Kolkata", "jst": "Asia/Tokyo",
    "kst": "Asia/Seoul", "hkt": "Asia/Hong_Kong", "sgt": "Asia/Singapore", "aest": "Australia/Sydney",
    "aedt": "Australia/Sydney", "acst": "Australia/Adelaide", "acdt": "Australia/Adelaide",
    "awst": "Australia/Perth", "nzst": "Pacific/Auckland", "nzdt": "Pacific/Auckland",
    "eastern": "America/New_York", "central": "America/Chicago", "mountain": "America/Denver",
    "pacific": "America/Los_Angeles", "et": "America/New_York", "ct": "America/Chicago",
    "mt": "America/Denver", "pt": "America/Los_Angeles",
    "uk": "Europe/London", "usa": "America/New_York", "london": "Europe/London", "paris": "Europe/Paris",
    "berlin": "Europe/Berlin",
    "new_york": "America/New_York", "tokyo": "Asia/Tokyo", "seoul": "Asia/Seoul",
    "sydney": "Australia/Sydney",
    "korea": "Asia/Seoul", "south korea": "Asia/Seoul", "germany": "Europe/Berlin", "china": "Asia/Shanghai",
    "spain": "Europe/Madrid", "australia": "Australia/Sydney", "canada": "America/Toronto",
    "brazil": "America/Sao_Paulo", "mexico": "America/Mexico_City", "russia": "Europe/Moscow",
    "new zealand": "Pacific/Auckland",
    "zulu": "UTC", "uct": "UTC", "turkey": "Europe/Istanbul", "cuba": "America/Havana",
    "navajo": "America/Denver", "gb": "Europe/London",
    "nz": "Pacific/Auckland", "rok": "Asia/Seoul", "roc": "Asia/Taipei", "prc": "Asia/Shanghai",
    "egypt": "Africa/Cairo", "eire": "Europe/Dublin", "hongkong": "Asia/Hong_Kong",
    "iceland": "Atlantic/Reykjavik", "iran": "Asia/Tehran", "israel": "Asia/Jerusalem",
    "jamaica": "America/Jamaica", "japan": "Asia/Tokyo", "libya": "Africa/Tripoli",
    "poland": "Europe/Warsaw", "portugal": "Europe/Lisbon", "singapore": "Asia/Singapore",
  ]
}
