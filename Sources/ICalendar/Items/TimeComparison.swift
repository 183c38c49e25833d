import Alarms
import EggTime

/// Times that are said in other words.
extension CalendarContent.Time {
  /// The next moments, and whether there are any in twenty years.
  private struct NextMoments: Equatable {
    var next: [Instant]
    var goesOn: Bool
  }

  private static let mostMoments = 60
  /// Days on which an alarm keeps quiet are written for longer.
  private static let spanOfQuiet = TimeSpan.seconds(180 * 86_400)
  private static let far = TimeSpan.seconds(20 * 366 * 86_400)

  /// Whether it rings at the same moments as another time, with the same rules.
  func rings(like other: Self, in context: ReadingContext) -> Bool {
    self == other
      || rules == other.rules && recurs == other.recurs && moments(in: context) == other.moments(in: context)
  }

  /// Whether it is what is left of a time after a client has dropped what only eggd reads: an end or a number of rings
  /// that no rule has, a time that no rule says, and the days on which it keeps quiet.
  func continues(_ past: Self, in context: ReadingContext) -> Bool {
    guard rules.leads == past.rules.leads, recurs == past.recurs else { return false }
    var (here, there) = (moments(in: context), past.moments(in: context))
    guard recurs else { return here == there }
    let isQuiet = past.rules != past.rules.ofOneShot
    if isQuiet {
      let (end, zone) = (context.now + Self.spanOfQuiet, self.zone(in: context))
      // Days off are the reader's; ranges to skip are not.
      func near(_ moments: NextMoments) -> NextMoments {
        let next = moments.next.filter {
          $0 < end && past.rules.skips.last(around: zone.civil(at: $0).dayNumber) == nil
        }
        return NextMoments(next: next, goesOn: true)
      }
      (here, there) = (near(here), near(there))
    }
    if here == there { return true }
    let count = min(here.next.count, there.next.count)
    guard count > 0, here.next.prefix(count) == there.next.prefix(count) else { return false }
    if case .every(.rule(let set), _) = timing, set.rule == nil, !here.goesOn { return true }
    guard case .every(.rule, _) = past.timing else { return false }
    return past.until != nil || past.count != nil
  }

  private func zone(in context: ReadingContext) -> Zone {
    let name: String? =
      switch timing {
      case .instant: "UTC"
      case .civil(_, let zone), .every(_, let zone): zone
      }
    return name.flatMap { try? context.loadZone($0) } ?? context.zone
  }

  private func moments(in context: ReadingContext) -> NextMoments {
    let zone = zone(in: context)
    let time: RecurringTime
    switch timing {
    case .instant(let moment): return NextMoments(next: [moment], goesOn: false)
    case .civil(let civil, _): return NextMoments(next: [zone.resolve(civil).instant], goesOn: false)
    case .every(let every, _): time = every
    }
    var next: [Instant] = []
    var base = max(context.now, from.map { $0 - TimeSpan(microseconds: 1) } ?? context.now)
    while next.count < Self.mostMoments, Int64(next.count) < count ?? .max,
      let moment = time.next(after: base, in: zone), moment <= until ?? .latest
    {
      next.append(moment)
      base = moment
    }
    let later = count == nil ? time.next(after: context.now + Self.far, in: zone) : nil
    return NextMoments(next: next, goesOn: later.map { $0 <= until ?? .latest } ?? false)
  }
}
