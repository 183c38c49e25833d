import Alarms
import EggProtocol

/// Values that only eggd knows. What it does not tell in time is not offered.
struct LiveValues {
  /// Candidates of one answer.
  static let most = 100

  private let client: ScheduleClient
  private let deadline: ContinuousClock.Instant

  /// nil if eggd cannot be reached. Connecting starts eggd where its socket unit is active, as each verb does.
  init?(_ surroundings: Surroundings) {
    deadline = .now + surroundings.glance
    guard surroundings.host == nil, let path = try? surroundings.socketPath(),
      let client = try? ScheduleClient(path: path, timeout: surroundings.glance)
    else { return nil }
    self.client = client
  }

  /// The groups, with how many alarms each has.
  func groups() -> [Offer.Candidate] {
    (answer(to: ListGroupsCall())?.groups ?? []).map { .init($0.name, Counted.alarms($0.alarms)) }
  }

  /// The first alarms that fit, by number, with their labels. Without a label it is the time as entered.
  func alarms(_ source: ValueSource, prefix: String, except named: Set<String>) -> [Offer.Candidate] {
    guard var call = source.alarmCall, let ranges = Self.numbers(beginningWith: prefix) else { return [] }
    call.totals = false
    var found: [Offer.Candidate] = []
    for range in ranges {
      call.range = range
      var isEmpty = true
      let isWhole = pages(of: call) { page in
        isEmpty = isEmpty && page.alarms.isEmpty
        for alarm in page.alarms where source.fits(alarm) && !named.contains("\(alarm.number)") {
          found.append(.init("\(alarm.number)", alarm.label ?? alarm.expression))
        }
        return found.count < Self.most
      }
      guard isWhole, found.count < Self.most, !isEmpty || hasAlarms(after: range.last) else { break }
    }
    return Array(found.prefix(Self.most))
  }

  private func hasAlarms(after number: Int64) -> Bool {
    guard number < .max else { return false }
    var call = ListCall(limit: 1, order: .created, fields: [])
    call.totals = false
    call.range = NumberRange(first: number + 1, last: .max)
    return answer(to: call)?.alarms.isEmpty == false
  }

  /// Reads pages until `each` returns false; false if they do not come in time.
  private func pages(of call: ListCall, each: (ListReply) -> Bool) -> Bool {
    do {
      try client.stream(call, timeout: left) { each($0) && left > .zero }
      return left > .zero
    } catch {
      return false
    }
  }

  private var left: Duration { ContinuousClock.now.duration(to: deadline) }

  private func answer<Call: ScheduleMethod>(to call: Call) -> Call.Reply? {
    left > .zero ? try? client.call(call, timeout: left) : nil
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
      first = next
      width = width * 10
    }
  }
}
