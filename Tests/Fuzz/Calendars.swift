import Alarms
import EggTime

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let file = Array(UnsafeBufferPointer(start: start, count: count))
  for case .success(let entry) in ICalendarReader.read(file, in: context) { check(entry) }
  synchronise(file)
  return 0
}

/// What is carried over to the file of a single entry reads as it was given, and nothing else changes.
private func synchronise(_ file: [UInt8]) {
  guard let item = try? CalendarItem(file, in: context), let entry = item.entry else { return }
  let old = CalendarContent(entry, at: context.now)
  var new = old
  (new.label, new.note, new.eggs, new.category) = ("Ab, c;\n", "d\ne", 7, .soft)
  new.label = new.label.map { String($0.prefix(5)) }
  let fields = new.differences(from: old)
  func content(_ item: CalendarItem) -> CalendarContent? {
    item.entry.map { CalendarContent($0, at: context.now).asWritten(in: context) }
  }
  guard
    let changed = item.edited(
      fields, to: CalendarAlarm(new, uid: item.uid), from: old, in: context, daysOff: { _ in nil },
      reading: content)?.bytes
  else { return }
  guard let read = try? CalendarItem(changed, in: context) else {
    fatalError("it cannot be read any more:\n\(String(decoding: changed, as: UTF8.self))")
  }
  guard read.uid == item.uid else { fatalError("\(item.uid) became \(read.uid)") }
}

private let context = ReadingContext(
  now: Instant(microseconds: 1_795_210_470_000_000), zone: (try? Zone.named("Europe/Paris")) ?? .utc)

/// Its expression reads as its timing, its texts are within the limits, and its next ring is soon found.
private func check(_ entry: CalendarEntry) {
  let kind: ExpressionKind
  if case .every = entry.timing { kind = .calendar } else { kind = .timestamp }
  guard let expression = try? TimeExpression.read(entry.expression, in: context, as: kind) else {
    fatalError("\(entry.expression) cannot be read")
  }
  let isSame =
    switch (entry.timing, expression.reading) {
    case (.instant(let instant), .instant(let read)): instant == read
    case (.instant(let instant), .civil): (try? expression.instant(in: context)) == instant
    case (.civil(let civil, let zone), .civil(let read, let readZone)): civil == read && zone == readZone
    case (.every(.interval(let interval), _), .recurring(.interval(let read))) where interval.isElapsed:
      read == interval
    case (.every(.rule(let set), let zone), .recurring(let read)): read == .rule(set.named(zone))
    case (.every(let time, let zone), .recurring(let read)):
      read.description == (zone.map { "\(time) \($0)" } ?? "\(time)")
    default: false
    }
  if case .every(let time, let name) = entry.timing, let (first, last) = ends(of: entry.rules.leads) {
    let zone = name.flatMap { try? context.loadZone($0) } ?? context.zone
    var (moment, count) = (context.now + first.span, 0)
    while moment < context.now + last.span, let next = time.next(after: moment, in: zone) {
      (moment, count) = (next, count + 1)
      guard count <= 2_001 else { fatalError("\(entry.expression) has too many moments for its leads") }
    }
  }
  guard isSame else { fatalError("\(entry.expression) reads as \(expression.reading), not \(entry.timing)") }
  guard entry.label.map({ $0.count <= Limits.labelCharacters && $0.utf8.count <= Limits.labelBytes }) ?? true,
    entry.body.map({ $0.count <= Limits.bodyCharacters && $0.utf8.count <= LimitedText.body.limits.bytes })
      ?? true,
    entry.summary.map({
      $0.count <= Limits.summaryCharacters && $0.utf8.count <= LimitedText.summary.limits.bytes
    })
      ?? true,
    Limits.eggs.contains(entry.eggs), entry.count.map({ $0 > 0 }) ?? true
  else { fatalError("beyond the limits: \(entry)") }
}

private func ends(of leads: [Lead]) -> (Lead, Lead)? {
  guard let first = leads.first, let last = leads.last else { return nil }
  return (first, last)
}
