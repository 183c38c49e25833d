import EggProtocol
import EggTestSupport
import EggTime
import Foundation
import Testing

@Suite("days that people keep")
struct AnniversaryTests {
  @Test(
    "an anniversary outlives a killed eggd, which keeps the date of birth and nothing that follows from it")
  func birth() throws {
    let daemon = try PrivateDaemon()
    let made = try daemon.eggctl("anniversary", "지우", "yesterday", "--at", "noon", "-q")
    #expect(made.status == 0 && made.output == "1\n2\n3\n", "\(made)")
    let old = try daemon.eggctl("anniversary", "Uncle Joon", "5 May 1946", "-q")
    #expect(old.status == 0 && old.output == "4\n", "\(old)")
    let nowhere = try daemon.eggctl("anniversary", "Mina", "yesterday", "--group", "nowhere")
    #expect(nowhere.status == 1 && nowhere.errors.contains("no group 'nowhere'"), "\(nowhere)")
    try daemon.kill()
    try daemon.restart()
    let child = try daemon.eggctl("show", "3").output
    #expect(child.contains("지우 birthday\n") && child.contains("occasion    100th day on "), "\(child)")
    let uncle = try daemon.eggctl("show", "4").output
    for line in ["born        1946. 05. 05.", "star sign   Taurus", "zodiac      dog"] {
      #expect(uncle.contains("\n\(line)\n"), "\(uncle)")
    }
    let stored = try daemon.eggctl("show", "4", "--json").output
    #expect(stored.contains("\"anniversary\":\"1946-05-05\"") && !stored.contains("Taurus"), "\(stored)")
  }

  @Test("a lunar birthday is kept on its solar day, and list --today begins with who has one")
  func lunar() throws {
    let daemon = try PrivateDaemon()
    let today = Zone.utc.civil(at: Instant(microseconds: Int64(Date().timeIntervalSince1970 * 1_000_000)))
    let date = try #require(LunarDate(today))
    let born = "\(date.year - 30)-\(date.month)-\(min(date.day, 29))"
    let made = try daemon.eggctl("anniversary", "Halmoni", born, "--lunar", "--at", "23:59", "-q")
    #expect(made.status == 0 && made.output == "1\n", "\(made)")
    let solar = try daemon.eggctl(
      "anniversary", "Mina", "\(today.year - 20)-\(today.month)-\(today.day)", "--at", "23:59", "-q")
    #expect(solar.status == 0, "\(solar)")
    let list = try daemon.eggctl("list", "--today").output
    #expect(list.contains("today: Mina birthday: 20 years\n"), "\(list)")
    if date.day <= 29, !date.isLeapMonth {
      #expect(list.hasPrefix("today: Halmoni birthday: 30 years\n"), "\(list)")
    }
    #expect(try daemon.eggctl("show", "1").output.contains("lunar       year \(date.year - 30)"))
    let shared = try daemon.eggctl("export", "--format", "ics").output
    #expect(shared.contains("RDATE:") || shared.contains("RDATE;"), "\(shared)")
  }

  @Test("all alarms of an anniversary are one change: one undo takes them back")
  func undo() throws {
    let daemon = try PrivateDaemon()
    let made = try daemon.eggctl("anniversary", "지우", "yesterday", "-q")
    #expect(made.status == 0 && made.output == "1\n2\n3\n", "\(made)")
    let undone = try daemon.client().call(UndoCall(), timeout: patience)
    #expect(undone.numbers == [1, 2, 3])
    #expect(try daemon.eggctl("list", "-q").output.isEmpty)
  }
}
