import EggProtocol
import EggStore
import Varlink

/// Answers a List call: one page, or all pages as fast as the client reads.
///
/// Confined to the wire's queue, hence safe to capture in closures that return to it. Pages become JSON on
/// the reader's thread.
final class Listing: @unchecked Sendable {
  private let lists: Lists
  private let call: ServerCall
  /// nil for all.
  private let fields: Set<WireAlarm.Field>?
  private var query: ListQuery
  private let limit: Int
  /// Totals of all pages, set with the first.
  private var totals: Totals?

  /// How much may be unsent when the next message is made.
  static let unsentBytes = 256 << 10

  /// The first of several pages is short, and each next one may be twice as long: the client reads while the
  /// next page is made.
  private static let firstPage = 125

  init(_ call: ServerCall, query: ListQuery, fields: Set<WireAlarm.Field>?, lists: Lists) {
    self.call = call
    self.query = query
    limit = query.limit
    if call.wantsMore { self.query.limit = min(Self.firstPage, limit) }
    self.fields = fields
    self.lists = lists
  }

  /// Reads and sends a page. Reads the next when this one was taken.
  func next() {
    let text = PageWriter(fields: fields, wallOf: WallClock(now: lists.clock.read()))
    lists.reads.read(for: call, { [query] in try $0.list(query, each: text.add) }) { [self] result in
      switch result {
      case .success(let page): send(text.elements, of: page)
      case .failure(let error): call.fail(error.failure)
      }
    }
  }

  private func send(_ elements: EncodedElements, of page: ListPage) {
    if let counted = page.totals {
      totals = Totals(counted)
      query.withTotals = false
    }
    let continues = call.wantsMore && page.after != nil
    call.reply(
      WrittenAlarms(alarms: elements, totals: totals ?? Totals(nil), after: page.after?.number),
      continues: continues)
    guard continues else { return }
    query.after = page.after
    query.limit = min(query.limit * 2, limit)
    call.whenUnsent(atMost: Self.unsentBytes) { [self] in next() }
  }
}
