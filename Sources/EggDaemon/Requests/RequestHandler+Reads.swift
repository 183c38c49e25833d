import Alarms
import EggProtocol
import EggStore
import EggTime
import Ringing
import Varlink

extension RequestHandler {
  /// The most alarms or occurrences on a page, and how many there are unless the call says otherwise.
  static let pageLimit: Int64 = 1_000

  func show(_ call: ServerCall) throws(CallFailure) {
    let asked: ShowCall = try call.parameters()
    let which = try AlarmReference(number: asked.number, id: asked.id)
    let wallOf = wallClock()
    reads.take(for: call) { [self] done in
      store.alarm(which) { [self] result in
        queue.async { [self] in
          switch result {
          case .success(let found):
            call.reply(
              ShowReply(
                alarm: WireAlarm(found.alarm, wallOf: wallOf.callAsFunction),
                occurrences: found.occurrences.map(WireOccurrence.init), upcoming: upcoming(found.alarm)))
          case .failure(let error): call.fail(error.failure(for: which))
          }
          done()
        }
      }
    }
  }

  /// The next moments of a recurring alarm; nil for what does not recur or waits for nothing.
  private func upcoming(_ alarm: Alarm) -> [Instant]? {
    guard case .every(let time, let name, let floats) = alarm.timing, let due = alarm.due else { return nil }
    let local = machineZone()
    guard let zone = floats || name == local.identifier ? local : try? Zone.named(name) else { return nil }
    let recurrence = Recurrence(
      time: time, zone: zone, from: alarm.from, until: alarm.until, count: alarm.count)
    var moments = [Instant(microseconds: due.microseconds)]
    while moments.count < min(5, Int(clamping: alarm.count ?? 5)), let last = moments.last,
      let next = recurrence.next(after: last)
    {
      moments.append(next)
    }
    return moments
  }

  func list(_ call: ServerCall) throws(CallFailure) {
    let asked: ListCall = try call.parameters()
    if asked.states?.contains(.other) == true { throw .invalidParameter("states") }
    let fields = asked.fields.map(Set.init)
    let order = ListQuery.Order(asked.order ?? .position)
    let query = ListQuery(
      order: order, filter: ListFilter(asked),
      after: asked.after.map { cursors.cursor(after: $0, in: order) },
      limit: try Self.limit(asked.limit),
      parts: fields?.isSubset(of: WireAlarm.listed) == true ? .listed : .all)
    Listing(call, query: query, fields: fields, handler: self).next()
  }

  func subscribe(_ call: ServerCall) throws(CallFailure) {
    guard call.wantsMore else { throw .expectedMore }
    let asked: SubscribeCall = try call.parameters()
    feed.subscribe(call, pages: asked.pages ?? true)
  }

  func wait(_ call: ServerCall) throws(CallFailure) {
    let asked: WaitCall = try call.parameters()
    let count = (asked.numbers ?? []).count + (asked.ids ?? []).count
    guard (1...Waits.alarmsLimit).contains(count) else { throw .invalidParameter("numbers") }
    guard !call.isOneway else { return call.reply() }
    waits.wait(call, asked)
  }

  func history(_ call: ServerCall) throws(CallFailure) {
    let asked: HistoryCall = try call.parameters()
    let which: AlarmReference? =
      asked.number == nil && asked.id == nil
      ? nil : try AlarmReference(number: asked.number, id: asked.id)
    let limit = try Self.limit(asked.limit)
    reads.take(for: call) { [store, queue] done in
      store.history(of: which, before: asked.before, limit: limit) { result in
        queue.async {
          switch result {
          case .success(let page):
            let past = page.past.map {
              Past(number: $0.number, label: $0.label, occurrence: WireOccurrence($0.occurrence))
            }
            call.reply(HistoryReply(past: past, before: page.before))
          case .failure(let error): call.fail(error.failure(for: which))
          }
          done()
        }
      }
    }
  }

  private static func limit(_ asked: Int64?) throws(CallFailure) -> Int {
    guard let asked else { return Int(pageLimit) }
    guard (1...pageLimit).contains(asked) else { throw .invalidParameter("limit") }
    return Int(asked)
  }
}

extension ListQuery.Order {
  init(_ order: ListOrder) {
    switch order {
    case .position: self = .position
    case .due: self = .due
    case .created: self = .created
    case .label: self = .label
    }
  }
}

extension ListFilter {
  /// What a call asks for.
  init(_ call: ListCall) {
    self.init(phases: call.states.map(Set.init))
    categories = call.categories.map(Set.init)
    group = call.group.map { $0.isEmpty ? .none : .named($0) }
    done = call.done
    label = call.label
    (dueFrom, dueBefore) = (call.dueFrom, call.dueBefore)
  }
}
