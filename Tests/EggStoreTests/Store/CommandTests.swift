import Alarms
import EggTestSupport
import EggTime
import GRDB
import Ringing
import Testing

@testable import EggStore

@Suite("Commands that alarms run")
struct CommandTests {
  private static let command = AlarmCommand("/bin/true 'a b'")

  /// A bench with an alarm that runs the command; its number is 1.
  private func bench() throws -> StoreBench {
    let bench = try StoreBench()
    var new = bench.new()
    new.run = Self.command?.text
    try bench.submit(ScheduleChange(new))
    return bench
  }

  /// The commands that the scheduler would run.
  private func commands(_ bench: StoreBench) throws -> [AlarmCommand?] {
    try bench.stranger().read { database in
      let rows = try Row.fetchAll(
        database,
        sql: "SELECT \(AlarmColumn.list(of: "a")), \(AlarmRows.card(of: "a")) FROM alarm a ORDER BY number")
      return rows.map { AlarmCard($0, groupAt: AlarmColumn.width).command }
    }
  }

  @Test("A command that a client gave runs, and is shown")
  func own() throws {
    let bench = try bench()
    #expect(try commands(bench) == [Self.command])
    #expect(bench.alarm(1)?.command == Self.command)
  }

  @Test("A file of version 12 brings only the commands that its eggd was told to run")
  func approved() throws {
    let bench = try bench()
    try bench.schedule()
    try bench.submit(DeleteChange(Selection(numbers: [2])))
    try bench.becomeVersion12()
    let eggd = try bench.stranger()
    try eggd.write { database in
      database.add(function: DatabaseFunction("eggd_approves", argumentCount: 0) { _ in nil })
      try database.execute(
        sql: """
          INSERT INTO approved_command SELECT id, run FROM alarm;
          CREATE TEMP TABLE other AS SELECT * FROM alarm;
          UPDATE other SET number = 5, id = '00000000-0000-4000-8000-000000000005', key = NULL;
          INSERT INTO alarm SELECT * FROM other;
          UPDATE alarm_image SET run = '/bin/false';
          """)
    }
    try bench.reopen()
    #expect(try commands(bench) == [Self.command, nil])
    try bench.submit(UndoChange(expected: nil))
    #expect(try commands(bench) == [Self.command, nil, nil])
  }

  @Test("Undo of a deletion brings the command back")
  func undone() throws {
    let bench = try bench()
    try bench.submit(DeleteChange(Selection(numbers: [1])))
    try bench.submit(UndoChange(expected: nil))
    #expect(try commands(bench) == [Self.command])
  }

  @Test("An edit gives another command")
  func edited() throws {
    let bench = try bench()
    var edit = AlarmEdit()
    edit.run = "/bin/other"
    try bench.submit(EditChange(Selection(numbers: [1]), edit))
    #expect(try commands(bench) == [AlarmCommand("/bin/other")])
  }

  @Test("How commands ended is kept with the ring, until it rings again")
  func runs() throws {
    let bench = try StoreBench.withFive()
    let ring = try #require(bench.alarm(4)?.latest)
    let firedAt = try #require(ring.firedAt)
    let runs = [HookRun(hook: "/a", result: .exited(0)), HookRun(hook: "/b", result: .notStarted("r"))]
    let id = RingID(occurrence: ring.id, firedAt: firedAt)
    bench.store.mark(runs.map { .ran(id, $0) })
    #expect(eventually { bench.alarm(4)?.latest?.hooks == runs ? true : nil } == true)
    let other = RingID(occurrence: ring.id, firedAt: firedAt + .seconds(1))
    bench.store.mark([.ran(other, runs[0])])
    try bench.schedule()
    #expect(bench.alarm(4)?.latest?.hooks == runs)
  }
}
