import EggTime

/// The first byte says of which class a time expression is and in which zone it is read, the others are its text.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let input = UnsafeBufferPointer(start: start, count: count)
  guard let choice = input.first else { return 0 }
  let kinds: [ExpressionKind?] = [nil, .span, .timestamp, .calendar]
  let text = String(decoding: input.dropFirst(), as: UTF8.self)
  read(text, as: kinds[Int(choice % 8 % 4)], in: zones[Int(choice / 8) % zones.count])
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
    if case .recurring(.interval(let interval)) = expression.reading {
      guard RecurringInterval(expression.canonical) == interval else {
        fatalError("\(text) became \(expression.canonical), which is another interval")
      }
      return
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
