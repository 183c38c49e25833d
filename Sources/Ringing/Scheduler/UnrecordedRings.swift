/// What rang and is not known to be recorded, by alarm, each in the order in which it rang.
package struct UnrecordedRings: Sendable {
  /// By alarm.
  package private(set) var byAlarm: [Int64: [RingRecord]] = [:]
  /// The entry that each was in the head, by occurrence.
  private var entries: [Int64: HeadEntry] = [:]

  /// Nothing rang.
  package init() {}

  /// Of one alarm.
  subscript(number: Int64) -> [RingRecord] { byAlarm[number, default: []] }

  /// That entry rang. Of a recurring alarm that rings on and on while nothing can be recorded the oldest are joined.
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

  /// Of these alarms, by alarm.
  func of(_ numbers: NumberSet) -> [RingRecord] {
    byAlarm.filter { numbers.contains($0.key) }.sorted { $0.key < $1.key }.flatMap(\.value)
  }

  /// These are on disk.
  mutating func forget(_ records: [RingRecord]) {
    for (number, records) in Dictionary(grouping: records, by: \.key.number) {
      guard let rings = byAlarm.removeValue(forKey: number) else { continue }
      let kept = rings.filter { ring in !records.contains { $0.covers(ring) } }
      for ring in rings where !kept.contains(ring) { entries[ring.occurrence] = nil }
      if !kept.isEmpty { byAlarm[number] = kept }
    }
  }

  /// Whether one of them is a ring of that occurrence.
  func contain(_ occurrence: Int64) -> Bool { entries[occurrence] != nil }

  /// As the database has it: the first of each alarm's entries, in no order.
  var firstEntries: [EntryKey: HeadEntry] {
    let inOrder = entries.sorted { $0.key < $1.key }.map { ($1.key, $1) }
    return Dictionary(inOrder) { first, _ in first }
  }

  /// Whether nothing is to be recorded.
  package var isEmpty: Bool { byAlarm.isEmpty }
}

extension RingRecord {
  /// So many rings of one alarm wait for the store; no more occurrences of it are kept, either.
  package static let mostOfOneAlarm = 100

  /// Where the rings of one alarm are too many, joins the oldest two that follow each other.
  ///
  /// - Returns: The occurrence that is gone, and the one that it is joined with; nil where nothing was joined.
  package static func joinOldest(_ rings: inout [RingRecord]) -> (gone: Int64, into: Int64)? {
    guard rings.count > mostOfOneAlarm else { return nil }
    for index in rings.indices.dropLast() {
      guard let joined = rings[index].joined(with: rings[index + 1]) else { continue }
      let gone = rings[index].occurrence
      rings.replaceSubrange(index...index + 1, with: [joined])
      return (gone, joined.occurrence)
    }
    return nil
  }

  /// One record for this ring and the next of the same recurring alarm: the database goes from what it waited for
  /// before this one to what it waits for after the next. nil where that does not follow from this.
  private func joined(with ring: RingRecord) -> RingRecord? {
    guard key == ring.key, key.occurrence == 0, let next, next == ring.due else { return nil }
    var joined = ring
    joined.due = due
    joined.elapsed += elapsed
    return joined
  }

  /// Whether a database that has this record has that ring, too. The rings of a recurring alarm are recorded in their
  /// order, and some of them joined.
  func covers(_ ring: RingRecord) -> Bool {
    guard ring != self else { return true }
    return key == ring.key && key.occurrence == 0 && ring.occurrence <= occurrence
  }
}
