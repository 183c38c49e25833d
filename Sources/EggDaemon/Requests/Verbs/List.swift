import Alarms
import EggProtocol
import EggStore
import EggTime
import Varlink

extension RequestHandler {
  func list(_ call: ServerCall) throws(CallFailure) {
    let asked: ListCall = try call.parameters()
    if asked.states?.contains(.other) == true { throw .invalidParameter("states") }
    if let range = asked.range, range.first > range.last { throw .invalidParameter("range") }
    let fields = asked.fields.map(Set.init)
    let order = ListQuery.Order(asked.order ?? .position)
    let query = ListQuery(
      order: order, filter: ListFilter(asked),
      after: asked.after.map { cursors.cursor(after: $0, in: order) },
      limit: try Self.limit(asked.limit), withTotals: asked.totals ?? true,
      parts: fields?.isSubset(of: WireAlarm.listed) == true ? .listed : .all)
    Listing(call, query: query, fields: fields, handler: self).next()
  }

  /// The maximum and default number of alarms or occurrences on a page.
  static let pageLimit: Int64 = 1_000

  static func limit(_ asked: Int64?) throws(CallFailure) -> Int {
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
  /// The call's query.
  init(_ call: ListCall) {
    self.init(phases: call.states.map(Set.init))
    categories = call.categories.map(Set.init)
    group = call.group.map { $0.isEmpty ? .none : .named($0) }
    done = call.done
    label = call.label
    (dueFrom, dueBefore) = (call.dueFrom, call.dueBefore)
    numbers = call.range.map { $0.first...$0.last }
  }
}
