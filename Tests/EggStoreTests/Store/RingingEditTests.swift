import Alarms
import EggTestSupport
import EggTime
import GRDB
import Testing

@testable import EggStore
@testable import Ringing

@Suite("Edits of what rings are told to its bubble")
struct RingingEditTests {
  /// An edit of each part of what bubbles say and do, and that part afterwards.
  private static let edits: [(part: String, edit: @Sendable (inout AlarmEdit) -> Void, card: [String])] = [
    ("label", { $0.label = "L" }, ["L"]), ("title", { $0.summary = "S" }, ["S"]),
    ("body", { $0.body = "B" }, ["B"]),
    ("icon", { $0.icon = "I" }, ["I"]), ("note", { $0.note = "N" }, ["N"]),
    ("category", { $0.category = .hard }, ["hard"]),
    ("group", { $0.group = "Sunday" }, ["Sunday", "sun"]), ("sound", { $0.sound = "none" }, ["none"]),
    ("insist", { $0.insist = .seconds(60) }, ["60000000"]),
    ("run", { $0.run = "/bin/r" }, ["/bin/r"]),
  ]

  private func parts(of card: AlarmCard?) -> [String] {
    guard let card else { return [] }
    return [
      card.label, card.summary, card.body, card.icon, card.note, card.category.rawValue, card.group,
      card.sound, card.insist.map { "\($0.microseconds)" }, card.run,
    ].compactMap { $0 }
  }

  /// A bench with one ringing alarm that is over.
  private func ringing() throws -> StoreBench {
    let bench = try StoreBench()
    try bench.submit(CreateGroupChange(Group(name: "Sunday", icon: "sun")))
    try bench.fire(try bench.schedule(), occurrence: 8)
    bench.observer.heard.clear()
    return bench
  }

  /// What its bubble is told last.
  private func told(_ bench: StoreBench, until isTold: (AlarmCard) -> Bool) -> AlarmCard? {
    eventually {
      bench.observer.moments.last { $0.number == 1 && $0.ringing == [8] }?.card.flatMap {
        isTold($0) ? $0 : nil
      }
    }
  }

  @Test("Each part that a command edits", arguments: edits.indices)
  func command(_ index: Int) throws {
    let (_, make, wanted) = Self.edits[index]
    let bench = try ringing()
    var edit = AlarmEdit()
    make(&edit)
    try bench.submit(EditChange(Selection(numbers: [1]), edit))
    let card = bench.observer.moments.last { $0.number == 1 }?.card
    #expect(Set(wanted).isSubset(of: parts(of: card)), "\(parts(of: card))")
    try bench.submit(UndoChange(expected: nil))
    let undone = bench.observer.moments.last { $0.number == 1 }?.card
    #expect(Set(wanted).isDisjoint(with: parts(of: undone)), "\(parts(of: undone))")
  }

  @Test("A group's name and icon")
  func group() throws {
    let bench = try ringing()
    var edit = AlarmEdit()
    edit.group = "Sunday"
    try bench.submit(EditChange(Selection(numbers: [1]), edit))
    var groupEdit = GroupEdit()
    (groupEdit.name, groupEdit.icon) = ("Monday", "moon")
    try bench.submit(EditGroupChange(name: "Sunday", groupEdit))
    let card = bench.observer.moments.last { $0.number == 1 }?.card
    #expect((card?.group, card?.icon) == ("Monday", "moon"))
  }

  @Test(
    "What a change of many, or another program, edits is told when bubbles are checked",
    arguments: [true, false])
  func unnamed(byCommand: Bool) throws {
    let bench = try ringing()
    if byCommand {
      for _ in 0..<300 { try bench.schedule() }
      bench.observer.heard.clear()
      var edit = AlarmEdit()
      edit.label = "L"
      try bench.submit(EditChange(Selection(all: true), edit))
    } else {
      try bench.stranger().write { try $0.execute(sql: "UPDATE alarm SET label = 'L' WHERE number = 1") }
    }
    #expect(
      eventually { bench.observer.words.contains("ringingUnknown") ? true : nil } == true,
      "\(bench.observer.words)")
    bench.store.stillRinging([8])
    #expect(told(bench) { $0.label == "L" } != nil)
  }
}
