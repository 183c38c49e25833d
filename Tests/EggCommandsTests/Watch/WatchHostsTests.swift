import EggProtocol
import EggTime
import Testing
import Varlink

@testable import EggCommands

/// Several machines on one screen.
@Suite struct WatchHostsTests {
  private static func reply(_ part: String, _ members: String = "") throws -> SubscribeReply {
    let json = "{\"part\":\"\(part)\",\"sequence\":1\(members)}"
    return try JSON.value(Array(json.utf8), as: SubscribeReply.self)
  }

  /// Two machines whose alarms have the same numbers.
  private static func two() throws -> Watching {
    var watching = try Watching(hosts: ["attic", "kitchen"])
    for (host, label) in [(UInt8(0), "window"), (1, "eggs")] {
      let alarms = [Watching.alarm(1, label), Watching.alarm(2, "more " + label)].joined(separator: ",")
      watching.state.apply(try reply("page", ",\"alarms\":[\(alarms)]"), from: host)
      watching.state.apply(try reply("ready"), from: host)
    }
    return watching
  }

  @Test("Each alarm has its machine in front, one machine after the other")
  func column() throws {
    var watching = try Self.two()
    let lines = watching.lines(100, 8).split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines[0] == "4 eggs in 4 alarms · next rings in 1 min")
    #expect(lines[1] == "  HOST       #   DUE                      LEFT          STATE      EGGS  LABEL")
    #expect(lines[2].hasPrefix("> attic      1 ") && lines[2].hasSuffix("window"))
    #expect(lines[3].hasPrefix("  attic      2 ") && lines[4].hasPrefix("  kitchen    1 "))
  }

  @Test("Keys act on the machine of the row; a new alarm goes there too")
  func keys() throws {
    var watching = try Self.two()
    watching.press(.character("x"), .end, .character("x"))
    #expect(
      watching.requests == [.markDone(WatchedID(1, host: 0), true), .markDone(WatchedID(2, host: 1), true)])
    #expect(watching.requests.map(\.host) == [0, 1])
    watching.press(.character("a"))
    #expect(watching.state.target == 1)
    #expect(watching.lines(80, 8).contains("add on kitchen: "))
  }

  @Test("The same number of another machine is another alarm")
  func numbers() throws {
    var watching = try Self.two()
    watching.press(.character("d"))
    #expect(watching.lines(80, 8).contains("delete attic #1 window? y/n"))
    watching.state.apply(try Self.reply("change", ",\"old\":\(Watching.alarm(1, "eggs"))"), from: 1)
    watching.press(.character("y"))
    #expect(watching.requests == [.delete(WatchedID(1, host: 0))])
    #expect(watching.numbers == [1, 2, 2])
  }

  @Test("Undo goes to the machine that was changed last, wherever the cursor went")
  func undone() throws {
    var watching = try Self.two()
    watching.press(.character("u"))
    #expect(watching.state.target == 0)
    watching.press(.end, .character("d"), .character("y"), .home, .character("u"))
    #expect(watching.state.target == 1)
    watching.press(.character("a"))
    #expect(watching.state.target == 0)
  }

  @Test("An alarm is moved only among those of its machine")
  func moved() throws {
    var watching = try Self.two()
    watching.press(.character("m"), .end, .enter)
    #expect(watching.requests.isEmpty)
    #expect(watching.state.notice == "alarms stay with those of their machine and state")
    watching.press(.character("m"), .down, .enter)
    #expect(watching.requests == [.move(1, .after, 2)])
  }

  @Test("A machine that drops is told, the others go on, and its list is replaced when it is back")
  func dropped() throws {
    var watching = try Self.two()
    watching.state.lose("kitchen cannot be reached", from: 1)
    #expect(
      watching.lines(100, 8).hasPrefix(
        "kitchen cannot be reached · trying again · 4 eggs in 4 alarms · next rings in 1 min\n"))
    watching.state.apply(try Self.reply("change", ",\"new\":\(Watching.alarm(3, "third"))"), from: 0)
    #expect(watching.numbers == [1, 2, 3, 1, 2])
    watching.state.apply(try Self.reply("page", ",\"alarms\":[\(Watching.alarm(7, "new"))]"), from: 1)
    #expect(watching.numbers == [1, 2, 3, 1, 2])
    watching.state.apply(try Self.reply("ready"), from: 1)
    #expect(watching.numbers == [1, 2, 3, 7])
    #expect(watching.state.notice == "kitchen is back")
    #expect(watching.state.link == .live)
  }

  @Test("The filter finds machines")
  func filter() throws {
    var watching = try Self.two()
    watching.press(.character("/"))
    watching.type("kitch")
    #expect(watching.lines(80, 8).contains("2 eggs in 2 alarms"))
  }
}
