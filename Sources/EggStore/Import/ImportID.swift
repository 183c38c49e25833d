import Alarms
import EggTime
import GRDB

/// An import: alarms are staged as images, in chunks, and created all at once.
package struct ImportID: Hashable, Sendable {
  /// The holder of its images: negative, never reused.
  let holder: Int64
}

/// A part of an import.
protocol ImportingChange: Change {
  var id: ImportID { get }
}

extension AlarmStore {
  /// Any thread.
  package func beginImport() -> ImportID {
    shared.withLock { shared in
      // Below earlier eggds' holders, whose images may still exist.
      shared.lastImport = max(shared.lastImport + 1, clock.read().wall.microseconds)
      shared.imports.insert(-shared.lastImport)
      return ImportID(holder: -shared.lastImport)
    }
  }

  /// Releases what was staged; no more is. Any thread.
  package func endImport(_ id: ImportID) {
    shared.withLock { _ = $0.imports.remove(id.holder) }
    queue.async { self.returnSpaceSoon() }
  }

  /// The room on the disk that an import leaves to others, in bytes: as much as the log usually takes. What is in the log
  /// needs its place in the database too.
  private var reserve: UInt64 { UInt64(Self.usualLog) + UInt64(file.logSize) }

  /// Refuses chunks of imports that have ended, and all where they would take the last room.
  func refuseStaging(of batch: inout Batch) {
    guard batch.changes.contains(where: { !$0.request.change.isPromised }) else { return }
    let imports = shared.withLock { $0.imports }
    let hasRoom = file.hasRoom(for: reserve)
    batch.changes.removeAll { change in
      guard let chunk = change.request.change as? ImportAlarmsChange,
        !hasRoom || !imports.contains(chunk.id.holder)
      else { return false }
      change.completion(.failure(.unavailable(reason: translatable("the disk is full"))))
      return true
    }
  }
}
