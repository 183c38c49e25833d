import EggTime
import Foundation
import ICalendar
import Testing

@testable import EggCommands

/// What becomes of an entry that was changed here and on the server. It is 2026-11-20 21:34:30 UTC.
@Suite struct SyncMergeTests {
  private let reader = ContentReader(context: ReadingContext(now: Run.now, zone: .utc))

  /// An entry as it is after a change at 21:00 and so many minutes.
  private func item(_ minute: Int, _ lines: String...) throws -> CalendarItem {
    let stamp = "20261120T21\(minute < 10 ? "0" : "")\(minute)00Z"
    let all =
      [
        "BEGIN:VCALENDAR", "VERSION:2.0", "BEGIN:VEVENT", "UID:a", "DTSTAMP:\(stamp)",
        "LAST-MODIFIED:\(stamp)",
        "DTSTART:20270115T080000Z",
      ] + lines + ["END:VEVENT", "END:VCALENDAR", ""]
    return try CalendarItem(Array(all.joined(separator: "\r\n").utf8), in: reader.context)
  }

  private func text(of item: CalendarItem) -> String { String(decoding: item.bytes, as: UTF8.self) }

  private func merged(
    _ here: CalendarItem, _ there: CalendarItem, since versions: CalendarItem...
  ) throws -> Set<String> {
    let texts = try versions.map { version in
      let content = reader.content(of: try #require(version.entry), past: nil)
      return try #require(reader.text(of: content, uid: "a", modifiedAt: version.modifiedAt))
    }
    return Set(
      String(decoding: reader.merged(here, there, since: texts), as: UTF8.self).split(separator: "\r\n").map(
        String.init))
  }

  @Test("The label from here and the note from there stay, and all other lines are those from there")
  func both() throws {
    let lines = try merged(
      item(10, "SUMMARY:green tea", "LOCATION:kitchen"),
      item(5, "SUMMARY:tea", "LOCATION:garden", "COMMENT:two minutes"),
      since: item(0, "SUMMARY:tea", "LOCATION:kitchen"))
    #expect(lines.isSuperset(of: ["SUMMARY:green tea", "COMMENT:two minutes", "LOCATION:garden"]))
    #expect(lines.isSuperset(of: ["SEQUENCE:1", "LAST-MODIFIED:20261120T211000Z"]))
  }

  @Test("Of a field that both changed, the later change stays", arguments: [5, 15])
  func conflict(minute: Int) throws {
    let lines = try merged(
      item(10, "SUMMARY:here"), item(minute, "SUMMARY:there"), since: item(0, "SUMMARY:tea"))
    #expect(lines.contains(minute == 15 ? "SUMMARY:there" : "SUMMARY:here"))
  }

  @Test("Of several changes here, it does not matter which ones the server has", arguments: [true, false])
  func carried(hasNote: Bool) throws {
    let note = hasNote ? ["COMMENT:two minutes"] : []
    let there = try CalendarItem(
      Array(
        text(of: item(20, "SUMMARY:tea", "DESCRIPTION:x")).replacing(
          "DESCRIPTION:x", with: (note + ["DESCRIPTION:x"]).joined(separator: "\r\n")
        ).utf8), in: reader.context)
    let lines = try merged(
      item(15, "SUMMARY:green tea", "COMMENT:two minutes"), there, since: item(0, "SUMMARY:tea"),
      item(10, "SUMMARY:tea", "COMMENT:two minutes"))
    #expect(lines.isSuperset(of: ["SUMMARY:green tea", "COMMENT:two minutes", "DESCRIPTION:x"]))
  }

  @Test("A change there of what was changed here before it stays") func after() throws {
    let lines = try merged(
      item(40, "SUMMARY:green tea", "COMMENT:two minutes"), item(30, "SUMMARY:white tea"),
      since: item(0, "SUMMARY:tea"), item(10, "SUMMARY:green tea"),
      item(40, "SUMMARY:green tea", "COMMENT:two minutes"))
    #expect(lines.isSuperset(of: ["SUMMARY:white tea", "COMMENT:two minutes"]))
  }

  @Test("What the client there dropped is unchanged") func dropped() throws {
    let lines = try merged(
      item(10, "SUMMARY:tea", "X-EGGD-EGGS:2", "X-EGGD-SUMMARY:Ready"), item(20, "SUMMARY:green tea"),
      since: item(0, "SUMMARY:tea", "X-EGGD-EGGS:7", "X-EGGD-SUMMARY:Ready"))
    #expect(lines.isSuperset(of: ["SUMMARY:green tea", "X-EGGD-EGGS:2", "X-EGGD-SUMMARY:Ready"]))
  }

  @Test("The later answer stays", arguments: ["20261120T210100Z", "20261120T210900Z"])
  func answers(there: String) throws {
    let lines = try merged(
      item(0, "SUMMARY:tea", "X-MOZ-LASTACK:20261120T210500Z"),
      item(20, "SUMMARY:green tea", "X-MOZ-LASTACK:\(there)"), since: item(0, "SUMMARY:tea"))
    #expect(lines.contains("SUMMARY:green tea"))
    #expect(lines.contains("X-MOZ-LASTACK:\(max(there, "20261120T210500Z"))"))
  }

  @Test("Where nothing is known of it, the server's entry stays") func unknown() throws {
    let there = try item(5, "SUMMARY:there")
    #expect(try reader.merged(item(10, "SUMMARY:here"), there, since: []) == there.bytes)
  }

  @Test(
    "Two files that are no versions of one entry are refused, and stay as they are",
    arguments: [
      ("junk\n", "not an iCalendar file: it does not begin with BEGIN:VCALENDAR"),
      ("", "not an iCalendar file: it does not begin with BEGIN:VCALENDAR"),
      ("BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:a\r\n", "the file ends before END:VEVENT"), ("UID:b", nil),
    ], [true, false])
  func refused(bad: (text: String, why: String?), isThere: Bool) throws {
    let good = text(of: try item(10, "SUMMARY:tea"))
    let text = bad.why == nil ? good.replacing("UID:a", with: bad.text) : bad.text
    let folder = FileManager.default.temporaryDirectory.appending(path: "eggctl-merge-\(UUID().uuidString)")
      .path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let paths = ["here", "there"].map { "\(folder)/\($0).ics" }
    let texts = isThere ? [good, text] : [text, good]
    try SyncFolder(path: folder).create()
    for (path, text) in zip(paths, texts) {
      #expect(FileManager.default.createFile(atPath: path, contents: Data(text.utf8)))
    }
    let daemon = try ScriptedDaemon([.reply("{\"daysOff\":[]}")])
    defer { daemon.end() }
    let run = Run.run(
      ["sync", "--merge"] + paths,
      variables: ["XDG_RUNTIME_DIR": daemon.directory, "XDG_STATE_HOME": folder + "/state"])
    let message =
      bad.why.map { "'\(paths[isThere ? 1 : 0])' cannot be merged: \($0)" }
      ?? "'\(paths[0])' and '\(paths[1])' are different entries"
    #expect(run == .failed(.refused, "eggctl: error: \(message)\n"))
    #expect(paths.map { FileManager.default.contents(atPath: $0) } == texts.map { Data($0.utf8) })
  }
}
