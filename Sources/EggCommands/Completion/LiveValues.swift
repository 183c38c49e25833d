import Alarms
import EggProtocol

/// Values that only eggd knows. What it does not tell in time is not offered.
struct LiveValues {
  /// Candidates of one answer.
  static let most = 100
  /// Alarms read for one answer, of which not all may fit.
  private static let mostRead: Int64 = 300

  private let client: ScheduleClient
  private let deadline: ContinuousClock.Instant

  /// nil if eggd cannot be reached. Connecting starts eggd where its socket unit is active, as each verb does.
  init?(_ surroundings: Surroundings) {
    deadline = .now + surroundings.glance
    guard let path = try? surroundings.socketPath(),
      let client = try? ScheduleClient(path: path, timeout: surroundings.glance)
    else { return nil }
    self.client = client
  }

  /// The groups, with how many alarms each has.
  func groups() -> [Offer.Candidate] {
    (answer(to: ListGroupsCall())?.groups ?? []).map { .init($0.name, counted($0.alarms, "alarm")) }
  }

  /// The first alarms that fit, by number, with their labels. Without a label it is the time as entered.
  func alarms(_ source: ValueSource, prefix: String, except named: Set<String>) -> [Offer.Candidate] {
    guard var call = source.alarmCall, let ranges = Self.numbers(beginningWith: prefix) else { return [] }
    call.totals = false
    call.limit = Self.mostRead
    var found: [Offer.Candidate] = []
    for range in ranges where found.count < Self.most {
      call.range = range
      guard let reply = answer(to: call) else { break }
      found += reply.alarms.filter(source.fits).map { alarm in
        .init("\(alarm.number)", alarm.label ?? alarm.expression)
      }.filter { !named.contains($0.value) }
    }
    return Array(found.prefix(Self.most))
  }

  private func answer<Call: ScheduleMethod>(to call: Call) -> Call.Reply? {
    let left = ContinuousClock.now.duration(to: deadline)
    guard left > .zero else { return nil }
    return try? client.call(call, timeout: left)
  }

  /// `12` begins 12, 120 to 129, 1200 to 1299 and so on. nil if no number begins so.
  static func numbers(beginningWith prefix: String) -> [NumberRange]? {
    if prefix.isEmpty { return [NumberRange(first: 1, last: .max)] }
    guard prefix.utf8.allSatisfy({ (0x30...0x39).contains($0) }), var first = Int64(prefix), first > 0,
      !prefix.hasPrefix("0")
    else { return nil }
    var ranges: [NumberRange] = []
    var width: Int64 = 1
    while true {
      ranges.append(NumberRange(first: first, last: first + (width - 1)))
      let (next, isTooLarge) = first.multipliedReportingOverflow(by: 10)
      guard !isTooLarge, next <= Int64.max - (width * 10 - 1) else { return ranges }
      (first, width) = (next, width * 10)
    }
  }
}
