import Alarms
import EggTestSupport
import EggTime
import GRDB
import Testing

@testable import EggStore

@Suite("Space of what was deleted")
struct SpaceTests {
  private func read(_ bench: StoreBench, _ sql: String) throws -> Int {
    try bench.stranger().read { try Int.fetchOne($0, sql: sql) ?? -1 }
  }

  /// Alarms of 4 KiB each, imported.
  private func fill(_ bench: StoreBench, _ count: Int) throws {
    let model = try bench.schedule("model")
    let id = bench.store.beginImport()
    let alarms = (1...count).map { number in
      var alarm = model
      (alarm.number, alarm.id) = (0, AlarmID())
      alarm.note = String(repeating: "n", count: 4_000)
      return (alarm: alarm, occurrences: [Occurrence]())
    }
    try bench.submit(ImportAlarmsChange(id, alarms: alarms))
    try bench.submit(CommitImportChange(id))
    bench.store.endImport(id)
  }

  @Test("What an import had staged goes without another change")
  func staged() throws {
    let bench = try StoreBench()
    try fill(bench, 2_000)
    let sequence = bench.store.sequence
    #expect(try eventually { try read(bench, "SELECT count(*) FROM alarm_image") == 0 ? true : nil } == true)
    #expect(bench.store.sequence == sequence)
    #expect(try bench.submit(UndoChange(expected: nil)).undone?.count == 2_000)
  }

  @Test("When a deletion of many can no longer be undone, the file shrinks, down to 4 MiB of free pages")
  func shrinking() throws {
    let bench = try StoreBench()
    try fill(bench, 5_000)
    let full = try read(bench, "PRAGMA page_count")
    try bench.submit(DeleteChange(Selection(all: true)))
    #expect(
      try eventually {
        try read(bench, "SELECT count(*) FROM alarm_image WHERE holder > 0") == 5_001 ? true : nil
      } == true)
    for _ in 0..<UndoLog.depth { try bench.schedule() }
    #expect(try eventually { try read(bench, "SELECT count(*) FROM alarm_image") == 0 ? true : nil } == true)
    #expect(try eventually { try read(bench, "PRAGMA freelist_count") <= 1_024 ? true : nil } == true)
    #expect(try read(bench, "PRAGMA page_count") < full / 2)
    #expect(try bench.stranger().read { try String.fetchOne($0, sql: "PRAGMA integrity_check") } == "ok")
  }

  @Test("A new eggd goes on where the last one ended")
  func resumed() throws {
    let bench = try StoreBench()
    try fill(bench, 3_000)
    try bench.submit(DeleteChange(Selection(all: true)))
    bench.close()
    try bench.stranger().write { database in
      try database.execute(sql: "DELETE FROM alarm_image; DELETE FROM undo")
    }
    #expect(try read(bench, "PRAGMA freelist_count") > 1_024)
    try bench.reopen()
    bench.store.moveEarlierBoots()
    #expect(try eventually { try read(bench, "PRAGMA freelist_count") <= 1_024 ? true : nil } == true)
  }
}
