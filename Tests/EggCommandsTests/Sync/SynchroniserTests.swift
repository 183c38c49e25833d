import Foundation
import Synchronization
import Testing

@testable import EggCommands

/// What a folder keeps from one synchronising to the next, with a real folder and a scripted eggd.
@Suite final class SynchroniserTests: Sendable {
  /// An eggd with one alarm.
  private struct List {
    var alarm: String?
    var group = "work"
    var mark: String?
    var sequence = 1
  }

  private let path = FileManager.default.temporaryDirectory.appending(
    path: "eggctl-sync-\(UUID().uuidString)"
  ).path
  private let list = Mutex(List())

  init() throws { change(label: "tea") }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  private var folder: String { path + "/folder" }

  private func change(label: String, group: String = "work") {
    list.withLock { list in
      list.alarm = """
        {"number":1,"state":"scheduled","done":false,"category":"other","eggs":1,"label":"\(label)","group":"\(group)",\
        "expression":"2027-01-15T08:00:00Z","kind":"at","instant":1800000000000000,"due":1800000000000000,\
        "id":"d9428888-122b-4f13-8f3f-3e0c6c1f0b7a","createdAt":1795210470000000}
        """
      list.group = group
      list.sequence += 1
    }
  }

  private func answer(_ call: String) -> ScriptedDaemon.Answer {
    list.withLock { list in
      let sequence = "\"sequence\":\(list.sequence)"
      if call.contains("Schedule.SyncMark\"") {
        return .reply("{\(list.mark.map { "\"mark\":\"\($0)\"," } ?? "")\(sequence)}")
      }
      if call.contains("Schedule.List\"") {
        return .reply("{\"alarms\":[\(list.alarm ?? "")],\"totals\":{\"alarms\":1,\"eggs\":1}}")
      }
      if call.contains("Schedule.ListGroups\"") {
        return .reply("{\"groups\":[{\"name\":\"\(list.group)\",\"alarms\":0,\"done\":0,\"eggs\":0}]}")
      }
      if call.contains("Schedule.ListDaysOff\"") { return .reply("{\"daysOff\":[]}") }
      if call.contains("Schedule.ImportAlarms\"") { return .reply("{\"staged\":0,\"refused\":[]}") }
      guard call.contains("Schedule.CommitImport\""), let mark = call.firstMatch(of: /"mark":"([^"]*)"/)?.1
      else {
        return .hangUp
      }
      list.mark = String(mark)
      list.sequence += 1
      return .reply(
        "{\"count\":0,\"existed\":0,\"missed\":0,\"sequence\":\(list.sequence),\"replaced\":0,\"deleted\":0}")
    }
  }

  private func sync(_ options: String...) throws -> Run {
    let daemon = try ScriptedDaemon { self.answer($0) }
    defer { daemon.end() }
    return Run.run(
      ["sync", folder] + options,
      variables: ["XDG_RUNTIME_DIR": daemon.directory, "XDG_STATE_HOME": path + "/state"])
  }

  private func files() throws -> [String: Data] {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
    return Dictionary(
      uniqueKeysWithValues: names.map {
        ($0, FileManager.default.contents(atPath: folder + "/" + $0) ?? Data())
      })
  }

  private static let equal = Run.said("list and folder are equal\n")

  @Test("A known folder becomes read-only also where nothing else has changed") func readOnly() throws {
    #expect(try sync() == .said("folder: added 1\n"))
    #expect(try sync("--read-only") == Self.equal)
    let before = try files()
    change(label: "green tea")
    #expect(try sync() == Self.equal)
    list.withLock { ($0.alarm, $0.sequence) = (nil, $0.sequence + 1) }
    #expect(try sync() == Self.equal)
    #expect(try files() == before)
  }

  @Test("A folder without alarms gets those of its new group at once") func newGroup() throws {
    var noGroup = Self.equal
    noGroup.messages = "eggctl: hint: there is no group 'home' yet; eggctl group lists the groups\n"
    #expect(try sync("--group", "home") == noGroup)
    #expect(try sync("--group", "work") == .said("folder: added 1\n"))
  }

  @Test("A folder whose group was renamed stays as it is until it is given the new name") func renamed()
    throws
  {
    #expect(try sync("--group", "work") == .said("folder: added 1\n"))
    let before = try files()
    change(label: "tea", group: "job")
    let refused = Run.failed(
      .refused,
      """
      eggctl: error: the group 'work' was renamed or deleted; \(folder) stays as it is
      eggctl: hint: eggctl sync \(folder) --group job

      """)
    #expect(try sync() == refused)
    #expect(try sync("--group", "work") == refused)
    #expect(try sync("--group", "jbo").messages.contains("there is no group 'jbo'"))
    #expect(try sync("--group", "job") == Self.equal)
    #expect(try sync() == Self.equal)
    #expect(try files() == before)
  }

  @Test("A folder whose group was deleted with its alarms keeps its files") func deleted() throws {
    #expect(try sync("--group", "work") == .said("folder: added 1\n"))
    let before = try files()
    list.withLock { ($0.alarm, $0.group, $0.sequence) = (nil, "home", $0.sequence + 1) }
    #expect(try sync().messages.contains("eggctl: hint: eggctl sync \(folder) --remove\n"))
    #expect(try files() == before)
  }
}
