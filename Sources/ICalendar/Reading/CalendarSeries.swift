/// Recurring entries of a calendar, held until the entries that change one occurrence each have been read.
struct CalendarSeries {
  private var held: [EntryDraft] = []

  /// - Returns: The entry, unless it is held.
  mutating func take(_ entry: EntryDraft) -> EntryDraft? {
    guard entry.series != nil, entry.recurs || entry[.recurrence] != nil else { return entry }
    held.append(entry)
    return nil
  }

  /// What is held, in the order of the file: each series with its changes.
  mutating func close() -> [EntryDraft] {
    defer { held = [] }
    var changes: [String: [EntryDraft]] = [:]
    for entry in held where entry[.recurrence] != nil {
      changes[entry.series ?? "", default: []].append(entry)
    }
    guard !changes.isEmpty else { return held }
    let masters = Set(held.filter { $0[.recurrence] == nil }.compactMap(\.series))
    return held.compactMap { entry in
      let name = entry.series ?? ""
      guard entry[.recurrence] == nil else { return masters.contains(name) ? nil : entry }
      var entry = entry
      // Only the first of two entries with the same UID.
      entry.overrides = changes.removeValue(forKey: name) ?? []
      return entry
    }
  }
}
