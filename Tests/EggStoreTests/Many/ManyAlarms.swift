import Alarms
import EggTestSupport
import GRDB
import Testing

@testable import EggStore

/// Alarms enough for changes of many.
enum ManyAlarms {
  static let count = 400

  /// One alarm, and many that are staged.
  static func bench(firstNumber: Int64 = 0, group: String? = nil) throws -> (StoreBench, CommitImportChange) {
    let bench = try StoreBench()
    bench.store.prepareChanges(of: 2, atOnce: 1)
    try bench.schedule("model")
    return (bench, try stage(in: bench, firstNumber: firstNumber, group: group))
  }

  static func stage(in bench: StoreBench, firstNumber: Int64, group: String? = nil) throws
    -> CommitImportChange
  {
    let id = bench.store.beginImport()
    try bench.submit(
      ImportAlarmsChange(staged(in: bench, 0..<count, firstNumber: firstNumber, group: group), id))
    return CommitImportChange(id)
  }

  static func staged(
    in bench: StoreBench, _ indices: Range<Int>, firstNumber: Int64 = 0, group: String? = nil
  ) throws -> StagedAlarms {
    let alarms = try indices.map { index in
      var alarm = try #require(bench.alarm(1))
      alarm.number = firstNumber == 0 ? 0 : firstNumber + Int64(index)
      alarm.id = try #require(AlarmID("00000000-0000-4000-8000-000000\(100_000 + index)"))
      (alarm.label, alarm.group) = ("egg \(index)", group)
      return (alarm: alarm, occurrences: [Occurrence]())
    }
    return StagedAlarms(groups: [], alarms: alarms, first: Int64(indices.lowerBound + 1))
  }
}

extension StoreBench {
  /// What is in the table, seen or hidden.
  func rows() throws -> Int {
    try stranger().read { try Int.fetchOne($0, sql: "SELECT count(*) FROM alarm") ?? -1 }
  }

  /// What is listed as hidden, once nothing is left to do.
  func rowsLeftHidden() throws -> Int {
    try eventually {
      let left = try stranger().read { try Int.fetchOne($0, sql: "SELECT count(*) FROM hidden_alarm") }
      return left == 0 ? 0 : nil
    } ?? -1
  }
}
