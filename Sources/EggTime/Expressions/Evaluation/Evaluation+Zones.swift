extension Evaluation {
  /// The clock of the zone that was typed, or of the context.
  struct Clock {
    var zone: Zone
    /// As stored; nil for the context's clock and for a fixed one.
    var name: String?
    /// An offset, `Z` or an abbreviation: changes of zone data do not affect it.
    var isFixed = false
  }

  func clock(_ form: ZoneForm?) throws(Misread) -> Clock {
    switch form {
    case nil: return Clock(zone: context.zone)
    case .offset(let seconds): return Clock(zone: .fixed(offset: seconds), isFixed: true)
    case .named(let name, let offset): return try clock(named: name, at: offset)
    }
  }

  private func clock(named name: String, at offset: Int) throws(Misread) -> Clock {
    if Self.isUniversal(name) { return Clock(zone: .utc, name: "UTC") }
    if name == context.zone.identifier, ZoneDirectory.isIdentifier(name) {
      return Clock(zone: context.zone, name: name)
    }
    let known = context.zone.abbreviations(around: context.now)
    if let local = known.first(where: { $0.name == name }) {
      return Clock(zone: .fixed(offset: local.offset), isFixed: true)
    }
    // Names without a slash are old aliases, words (Turkey, Cuba, Navajo), or abbreviations from other zones.
    guard name.contains("/") else { throw notNamed(name, at: offset) }
    do throws(ZoneError) {
      return Clock(zone: try context.loadZone(name), name: name)
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

  private static let names = Dictionary(
    uniqueKeysWithValues: zones.flatMap { zone, names in
      names.split(separator: "/").map { (String($0), zone) }
    })

  private static let zones = [
    ("America/New_York", "est/edt/eastern/et/usa/new_york"), ("America/Chicago", "cst/cdt/central/ct"),
    ("America/Denver", "mst/mdt/mountain/mt/navajo"), ("America/Los_Angeles", "pst/pdt/pacific/pt"),
    ("America/Anchorage", "akst/akdt"), ("Pacific/Honolulu", "hst"), ("Europe/London", "bst/uk/london/gb"),
    ("Europe/Lisbon", "wet/west/portugal"), ("Europe/Paris", "cet/cest/met/paris"),
    ("Europe/Helsinki", "eet/eest"), ("Europe/Moscow", "msk/russia"), ("Asia/Kolkata", "ist"),
    ("Asia/Tokyo", "jst/tokyo/japan"), ("Asia/Seoul", "kst/seoul/korea/south korea/rok"),
    ("Asia/Hong_Kong", "hkt/hongkong"), ("Asia/Singapore", "sgt/singapore"),
    ("Australia/Sydney", "aest/aedt/sydney/australia"), ("Australia/Adelaide", "acst/acdt"),
    ("Australia/Perth", "awst"), ("Pacific/Auckland", "nzst/nzdt/new zealand/nz"),
    ("Europe/Berlin", "berlin/germany"), ("Asia/Shanghai", "china/prc"), ("Europe/Madrid", "spain"),
    ("America/Toronto", "canada"), ("America/Sao_Paulo", "brazil"), ("America/Mexico_City", "mexico"),
    ("UTC", "zulu/uct"), ("Europe/Istanbul", "turkey"), ("America/Havana", "cuba"), ("Asia/Taipei", "roc"),
    ("Africa/Cairo", "egypt"), ("Europe/Dublin", "eire"), ("Atlantic/Reykjavik", "iceland"),
    ("Asia/Tehran", "iran"), ("Asia/Jerusalem", "israel"), ("America/Jamaica", "jamaica"),
    ("Africa/Tripoli", "libya"), ("Europe/Warsaw", "poland"),
  ]
}
