import Alarms
import Dispatch
import EggTestSupport
import EggTime
import Foundation
import Ringing
import Synchronization
import Testing

@testable import EggStore

/// Two clients change one list at once, changes of many among theirs.
@Suite("Two clients")
struct TwoClientsTests {
  /// What a reply acknowledged.
  private struct Answered: Sendable {
    var change: any Change
    var sequence: Int64
    /// What it says: numbers created, changed and deleted.
    var numbers: [[Int64]]

    init(_ change: any Change, _ outcome: ChangeOutcome) {
      (self.change, sequence) = (change, outcome.sequence)
      numbers = [
        outcome.alarms.map(\.number), outcome.deleted, [outcome.changed], outcome.undone?.numbers ?? [],
      ]
    }
  }

  private static func makeBench() throws -> StoreBench {
    let bench = try StoreBench()
    for name in ["one", "other"] { try bench.submit(CreateGroupChange(Group(name: name))) }
    for number in 1...12 {
      var new = bench.new("egg \(number)", after: .seconds(600 + Int64(number)))
      new.group = number % 3 == 0 ? nil : number % 3 == 1 ? "one" : "other"
      if number % 4 == 0 { new.key = "key \(number)" }
      try bench.submit(ScheduleChange(new))
    }
    bench.store.fewAlarms = 2
    return bench
  }

  /// Any change, as a client that knows little of the list would ask for it.
  private static func change(_ random: inout SeededGenerator, _ bench: StoreBench, _ name: String)
    -> any Change
  {
    let number = Int64.random(in: 1...16, using: &random)
    let few = Selection(ranges: [number...(number + Int64.random(in: 0...1, using: &random))])
    let all = Selection(all: true)
    let group = Bool.random(using: &random) ? "one" : "other"
    let selection = Int.random(in: 0...2, using: &random) == 0 ? all : few
    var edit = AlarmEdit()
    switch Int.random(in: 0...17, using: &random) {
    case 0:
      return MoveChange(
        all, [.top, .bottom, .before(number), .after(number)].randomElement(using: &random) ?? .top)
    case 1, 2: return MoveChange(few, .top)
    case 3: return MoveChange(Selection(ranges: [1...9]), .after(number + 4))
    case 4: return DeleteGroupChange(name: group, withAlarms: true)
    case 5: return DeleteGroupChange(name: group, withAlarms: false)
    case 6, 7:
      edit.group = .some(Bool.random(using: &random) ? nil : group)
      return EditChange(few, edit)
    case 8:
      edit.label = .some(name)
      return EditChange(selection, edit)
    case 9: return DeleteChange(few)
    case 10: return DeleteChange(Selection(ranges: [number...(number + 5)]))
    case 11: return MarkDoneChange(selection, Bool.random(using: &random))
    case 12: return PauseChange(selection)
    case 13: return CreateGroupChange(Group(name: group))
    case 14, 15: return UndoChange(expected: nil, redoes: Int.random(in: 0...2, using: &random) == 0)
    default:
      var new = bench.new(name)
      if Bool.random(using: &random) { new.group = group }
      return ScheduleChange(new, isGroupOptional: true)
    }
  }

  /// The list and its groups, but for identities.
  private func plain(_ bench: StoreBench) throws -> [Alarm] {
    try bench.list().alarms.map { alarm in
      var plain = alarm
      plain.id = .zero
      return plain
    }
  }

  /// Makes the changes again, one by one, up to a sequence.
  private func replay(_ answered: [Answered], upTo last: Int64 = .max) throws -> StoreBench {
    let bench = try Self.makeBench()
    for one in answered where one.sequence <= last {
      let again = Answered(one.change, try bench.submit(one.change))
      #expect(again.sequence == one.sequence)
      #expect(again.numbers == one.numbers, "\(one.change)")
    }
    return bench
  }

  @Test(
    "What was answered is what the changes give one by one, in the order of their sequences; a kill loses none",
    arguments: 1...10 as ClosedRange<UInt64>)
  func serialisable(seed: UInt64) throws {
    let bench = try Self.makeBench()
    // In the order of the replies: those that changed nothing have the sequence of the one before.
    let answered = Kept<Answered>()
    /// What was answered when eggd was killed, and its files at that moment.
    let kills = Kept<(sequence: Int64, files: [String: Data])>()
    let directory = bench.directory
    DispatchQueue.concurrentPerform(iterations: 2) { client in
      var random = SeededGenerator(seed: seed << 8 | UInt64(client))
      for turn in 1...16 {
        let burst = DispatchGroup()
        for index in 0...Int.random(in: 0...2, using: &random) {
          let change = Self.change(&random, bench, "\(client) \(turn) \(index)")
          let isKill = Int.random(in: 0..<12, using: &random) == 0
          burst.enter()
          bench.ask(change) { result in
            if case .success(let outcome) = result {
              answered.append(Answered(change, outcome))
              if isKill, let files = try? Self.files(in: directory) {
                kills.append((outcome.sequence, files))
              }
            }
            burst.leave()
          }
        }
        burst.wait()
      }
    }
    bench.queue.sync {}
    let all = answered.all
    #expect(all.count > 20)
    #expect(zip(all, all.dropFirst()).allSatisfy { $0.sequence <= $1.sequence })
    let again = try replay(all)
    #expect(try plain(again) == plain(bench))
    #expect(try again.groups() == bench.groups())
    for (sequence, files) in kills.all.prefix(3) {
      let next = try StoreBench { path in
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
        for (name, data) in files {
          let file = folder.appending(path: name)
          try data.write(to: file)
          try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
        }
      }
      // Others of its transaction may not have been answered yet.
      let stored = next.store.sequence
      #expect(stored >= sequence)
      let expected = try replay(all, upTo: stored)
      #expect(try plain(next) == plain(expected))
      #expect(try next.groups() == expected.groups())
    }
  }

  private static func files(in directory: String) throws -> [String: Data] {
    var files: [String: Data] = [:]
    for name in ["schedule.db", "schedule.db-wal"] {
      files[name] = try Data(contentsOf: URL(fileURLWithPath: directory).appending(path: name))
    }
    return files
  }
}
