import Dispatch
import EggTime

/// Shows what rings on the desktop: binds ``Bubbles`` to the session bus. Confined to the scheduler's queue.
package final class DesktopNotifier {
  /// `queue` is the scheduler's; `environment` the process's own; both closures are called on `queue`.
  package init(
    queue: DispatchQueue, clock: any Clock, environment: [String: String], wording: NoticeWording,
    log: @escaping (JournalEvent) -> Void, report: @escaping (NotifierReport) -> Void
  ) {}

  /// Connects, now or when there is a bus.
  package func start() {}

  /// Rings found due by one wake-up or by the first slice of a catch-up: more than five share one bubble.
  package func show(_ notices: [Notice]) {}

  /// A further slice of the same catch-up: joins its shared bubble.
  package func join(_ notices: [Notice]) {}

  /// What still rings from before this start.
  package func restore(_ notices: [Notice]) {}

  /// Of that alarm only these occurrences still ring.
  package func retain(number: Int64, ringing: [Int64]) {}

  /// These occurrences do not ring any more.
  package func end(_ occurrences: [Int64]) {}

  /// Every occurrence that has a bubble or waits for one, ascending.
  package var shownOccurrences: [Int64] { [] }

  /// What is there to show bubbles.
  package var status: DesktopStatus { DesktopStatus(part: .noBus) }

  /// Leaves the bus. Bubbles stay on the screen.
  package func stop() {}
}

/// What is there to show bubbles.
package struct DesktopStatus: Hashable, Sendable {
  package var part: Part
  /// What the server calls itself; nil until it has said so.
  package var serverName: String?
  /// The server's unique bus name.
  package var owner: String?

  /// How far bubbles get.
  package enum Part: String, Hashable, Sendable {
    case shown
    case noServer
    case noBus
  }

  /// All fields.
  package init(part: Part, serverName: String? = nil, owner: String? = nil) {
    self.part = part
    self.serverName = serverName
    self.owner = owner
  }
}
