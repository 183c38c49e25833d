import Alarms
import EggTime
import GRDB

/// An import: its alarms are staged as images, in chunks, and become alarms all at once.
package struct ImportID: Hashable, Sendable {
  /// The holder of its images: negative, and never used twice.
  let holder: Int64
}

extension AlarmStore {
  /// Begins an import. Any thread.
  package func beginImport() -> ImportID {
    let id = shared.withLock { shared in
      // Below what a holder of an earlier eggd had, whose images may be there yet.
      shared.lastImport = max(shared.lastImport + 1, clock.read().wall.microseconds)
      shared.imports.insert(-shared.lastImport)
      return ImportID(holder: -shared.lastImport)
    }
    return id
  }

  /// Lets go of what was staged: later changes sweep it away. Any thread.
  package func endImport(_ id: ImportID) { shared.withLock { _ = $0.imports.remove(id.holder) } }
}
