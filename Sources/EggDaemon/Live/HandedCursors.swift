import EggStore

/// The ends of pages sent singly. The next page begins there even if that alarm was deleted meanwhile. Keeps
/// the last thousand; none survive a restart.
struct HandedCursors {
  private struct Page: Hashable {
    var order: ListQuery.Order
    var number: Int64
  }

  private var keys: [Page: ListCursor.Key] = [:]
  /// The pages of `keys`, as a ring: from `next` on, the older ones.
  private var pages: [Page] = []
  private var next = 0

  private static let most = 1_000

  /// Records the end of a page.
  mutating func note(_ cursor: ListCursor, in order: ListQuery.Order) {
    guard let key = cursor.key else { return }
    let page = Page(order: order, number: cursor.number)
    guard keys.updateValue(key, forKey: page) == nil else { return }
    if pages.count < Self.most {
      pages.append(page)
    } else {
      keys[pages[next]] = nil
      pages[next] = page
      next = (next + 1) % Self.most
    }
  }

  /// Where the page after that alarm begins.
  func cursor(after number: Int64, in order: ListQuery.Order) -> ListCursor {
    ListCursor(number: number, formerKey: keys[Page(order: order, number: number)])
  }
}
