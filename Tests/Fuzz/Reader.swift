// libFuzzer's entry; compiled together with the sources of EggTime, see run.

/// The first byte says what the others are: a time expression of some class in some zone, a zone file, a `TZ`.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let input = Array(UnsafeBufferPointer(start: start, count: count))
  guard let choice = input.first else { return 0 }
  let rest = Array(input.dropFirst())
  switch choice % 8 {
  case 6:
    if let timeline = try? ZoneFile.timeline(rest) {
      use(Zone(identifier: "fuzzed", digest: "", path: nil, timeline: timeline))
    }
  case 7:
    if let rule = PosixRule(rest) {
      use(
        Zone(
          identifier: "fuzzed", digest: "", path: nil,
          timeline: ZoneTimeline(initial: rule.standard, rule: rule)))
    }
  default:
    let kinds: [ExpressionKind?] = [nil, .span, .timestamp, .calendar, nil, .calendar]
    let text = String(decoding: rest, as: UTF8.self)
    read(text, as: kinds[Int(choice % 8)], in: zones[Int(choice / 8) % zones.count])
  }
  return 0
}

private let zones = ["UTC", "Europe/Paris", "Australia/Lord_Howe", "Antarctica/Troll", "Pacific/Apia"]
  .map { (try? Zone.named($0)) ?? .utc }

/// What is read has moments in order, and a text of its own that reads as the same.
private func read(_ text: String, as kind: ExpressionKind?, in zone: Zone) {
  let context = ReadingContext(now: Instant(microseconds: 1_800_000_000_000_000), zone: zone)
  do throws(ExpressionError) {
    let expression = try TimeExpression.read(text, in: context, as: kind)
    _ = try? expression.instant(in: context)
    let moments = try expression.moments(in: context, count: 4)
    guard zip(moments, moments.dropFirst()).allSatisfy({ $0 < $1 }) else {
      fatalError("not in order: \(moments) of \(text)")
    }
    let forced: ExpressionKind? = expression.kind == .calendar ? .calendar : nil
    guard let again = try? TimeExpression.read(expression.canonical, in: context, as: forced),
      again.reading == expression.reading
    else { fatalError("\(text) became \(expression.canonical), which reads as something else") }
  } catch {
    if let offset = error.offset, !(0...text.utf8.count).contains(offset) {
      fatalError("\(offset) in \(text)")
    }
  }
  _ = TimeExpression.canLieAhead(text)
}

private func use(_ zone: Zone) {
  for seconds in [Int64.min / 2_000_000, -1, 0, 1_800_000_000, 253_402_214_399] {
    let civil = zone.civil(at: Instant(microseconds: seconds * 1_000_000))
    if civil.isValid { _ = zone.resolve(civil) }
  }
  if let event = CalendarEvent("*-*-* 02:30") {
    _ = event.next(after: Instant(microseconds: 1_800_000_000_000_000), in: zone)
  }
}
