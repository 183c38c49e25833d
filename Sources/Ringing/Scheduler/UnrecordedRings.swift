/// Rings not known to be recorded, by alarm, each alarm's in ringing order.
package struct UnrecordedRings: Sendable {
  package private(set) var byAlarm: [Int64: [RingRecord]] = [:]
  /// Each ring's entry in the head, by occurrence.
  private var entries: [Int64: HeadEntry] = [:]

  subscript(number: Int64) -> [RingRecord] { byAlarm[number, default: []] }

  /// Adds a ring. Joins the oldest ones of a recurring alarm that keeps ringing while nothing can be
  /// recorded.
  mutating func append(_ record: RingRecord, of entry: HeadEntry) {
    let number = record.key.number
    entries[record.occurrence] = entry
    guard var rings = byAlarm.removeValue(forKey: number) else {
      byAlarm[number] = [record]
      return
    }
    rings.append(record)
    if let joined = RingRecord.joinOldest(&rings) {
      entries[joined.into] = entries.removeValue(forKey: joined.gone)
    }
    byAlarm[number] = rings
  }

  /// The rings of these alarms, grouped by alarm.
  func of(_ numbers: NumberSet) -> [RingRecord] {
    byAlarm.filter { numbers.contains($0.key) }.sorted { $0.key < $1.key }.flatMap(\.value)
  }

  mutating func forget(_ records: [RingRecord]) {
    for (number, records) in Dictionary(grouping: records, by: \.key.number) {
      guard let rings = byAlarm.removeValue(forKey: number) else { continue }
      let kept = rings.filter { ring in !records.contains { $0.covers(ring) } }
      for ring in rings where !kept.contains(ring) { entries[ring.occurrence] = nil }
      if !kept.isEmpty { byAlarm[number] = kept }
    }
  }

  var count: Int { entries.count }

  func contain(_ occurrence: Int64) -> Bool { entries[occurrence] != nil }

  /// The first entry of each alarm, as the database has it; in no order.
  var firstEntries: [EntryKey: HeadEntry] {
    let inOrder = entries.sorted { $0.key < $1.key }.map { ($1.key, $1) }
    return Dictionary(inOrder) { first, _ in first }
  }

  /// Whether there are others than those that nobody has answered.
  package var hasRings: Bool { byAlarm.values.contains { $0.contains { $0.outcome != .unanswered } } }
}

extension RingRecord {
  /// The limit of one alarm's unrecorded rings, equal to the store's limit of occurrences.
  fileprivate static let mostOfOneAlarm = 100

  /// If one alarm has too many rings, joins the oldest two neighbours.
  ///
  /// - Returns: The removed occurrence and the one it was joined with; nil if none were joined.
  fileprivate static func joinOldest(_ rings: inout [RingRecord]) -> (gone: Int64, into: Int64)? {
    guard rings.count > mostOfOneAlarm else { return nil }
    for index in rings.indices.dropLast() {
      guard let joined = rings[index].joined(with: rings[index + 1]) else { continue }
      let gone = rings[index].occurrence
      rings.replaceSubrange(index...index + 1, with: [joined])
      return (gone, joined.occurrence)
    }
    return nil
  }

  /// One record for this ring and the next of the same recurring alarm. The database goes from the moment
  /// before this ring to the one after the next. nil if the next ring does not follow from this one.
  private func joined(with ring: RingRecord) -> RingRecord? {
    guard key == ring.key, key.occurrence == 0, let next, next == ring.due else { return nil }
    var joined = ring
    joined.due = due
    joined.elapsed += elapsed
    joined.used += used
    return joined
  }

  /// Whether a database that has this record also has that ring. A recurring alarm's rings are recorded in
  /// order, some of them joined.
  func covers(_ ring: RingRecord) -> Bool {
    guard ring != self else { return true }
    return key == ring.key && key.occurrence == 0 && ring.occurrence <= occurrence
  }
}
