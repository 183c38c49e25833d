@testable import EggTime

/// The first byte says what the others are: a zone file (RFC 9636) or a `TZ`.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let input = Array(UnsafeBufferPointer(start: start, count: count))
  guard let choice = input.first else { return 0 }
  let rest = Array(input.dropFirst())
  if choice % 2 == 0 {
    if let timeline = try? ZoneFile.timeline(rest) { use(timeline) }
  } else if let rule = PosixRule(rest) {
    use(ZoneTimeline(initial: rule.standard, rule: rule))
  }
  return 0
}

private func use(_ timeline: ZoneTimeline) {
  let zone = Zone(identifier: "fuzzed", digest: "", path: nil, timeline: timeline)
  for seconds in [Int64.min / 2_000_000, -1, 0, 1_800_000_000, 253_402_214_399] {
    let civil = zone.civil(at: Instant(microseconds: seconds * 1_000_000))
    if civil.isValid { _ = zone.resolve(civil) }
  }
  if let event = CalendarEvent("*-*-* 02:30") {
    _ = event.next(after: Instant(microseconds: 1_800_000_000_000_000), in: zone)
  }
}
