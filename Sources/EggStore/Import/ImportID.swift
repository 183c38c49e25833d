import Alarms
import EggTime
import GRDB

/// An import: alarms are staged as images, in chunks, and created all at once.
package struct ImportID: Hashable, Sendable {
  /// The holder of its images: negative, never reused.
  let holder: Int64
}

extension AlarmStore {
  /// Any thread.
  package func beginImport() -> ImportID {
    let id = shared.withLock { shared in
      // Below earlier eggds' holders, whose images may still exist.
      shared.lastImport = max(shared.lastImport + 1, clock.read().wall.microseconds)
      shared.imports.insert(-shared.lastImport)
      return ImportID(holder: -shared.lastImport)
    }
    return id
  }

  /// Releases what was staged. Any thread.
  package func endImport(_ id: ImportID) {
    shared.withLock { _ = $0.imports.remove(id.holder) }
    queue.async { self.returnSpaceSoon() }
  }
}
