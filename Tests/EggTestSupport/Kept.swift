import Synchronization

/// What came, in order; any thread.
package final class Kept<Element: Sendable>: Sendable {
  private let kept = Mutex<[Element]>([])

  package init() {}

  package func append(_ element: Element) { kept.withLock { $0.append(element) } }
  package var all: [Element] { kept.withLock { $0 } }
  package func clear() { kept.withLock { $0 = [] } }
}
