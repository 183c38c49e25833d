import Alarms
import EggStore
import EggProtocol
import EggTime
import Ringing
import Foundation
import Testing

@testable import EggDaemon

@Suite struct CatalogTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// By message ID.
  private func entries() throws -> [String: String] {
    let text = try String(contentsOf: Self.root.appending(path: "systemd/eggd.catalog"), encoding: .utf8)
    let parts = text.components(separatedBy: "\n-- ").dropFirst()
    let pairs = parts.map { part in (String(part.prefix { $0 != "\n" }), part) }
    return try Dictionary(pairs) { first, _ in
      Issue.record("two entries for one message ID")
      throw CocoaError(.coderInvalidValue, userInfo: ["entry": first])
    }
  }

  @Test("Message IDs and catalog entries match one to one")
  func sameIDs() throws {
    #expect(Set(try entries().keys) == Set(MessageID.allCases.map(\.rawValue)))
  }

  @Test("The sources contain no other message ID")
  func noStrayIDs() throws {
    let known = Set(MessageID.allCases.map(\.rawValue))
    let sources = Self.root.appending(path: "Sources")
    let walk = try #require(FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
    var seen = Set<String>()
    for case let file as URL in walk where file.pathExtension == "swift" {
      let text = try String(contentsOf: file, encoding: .utf8)
      for word in text.split(whereSeparator: { !$0.isHexDigit }) where word.count == 32 {
        seen.insert(String(word))
      }
    }
    #expect(seen == known)
  }

  @Test(
    "Every catalog entry has its fields for summary, owner and help, and an explanation",
    arguments: MessageID.allCases)
  func completeEntry(id: MessageID) throws {
    let entry = try #require(try entries()[id.rawValue])
    let halves = entry.components(separatedBy: "\n\n")
    let header = try #require(halves.first)
    for field in ["Subject: ", "Defined-By: eggd", "Support: "] { #expect(header.contains("\n" + field)) }
    #expect(halves.count > 1)
  }

  @Test("A catalog entry names only fields that the journal entry has", arguments: Self.events)
  func fieldsExist(event: JournalEvent) throws {
    let record = event.record
    let entry = try #require(try entries()[record.id.rawValue])
    let named = Set(entry.split(separator: "@").filter { $0.hasPrefix("EGG_") || $0 == "EXIT_STATUS" })
    #expect(named.isSubset(of: Set(record.fields.map { Substring($0.name) })))
  }

  /// One event of each kind.
  static let events: [JournalEvent] = [
    .started(version: "1", socket: "/s"), .stopping, .startRefused(status: 78, reason: "r", hint: "h"),
    .reloaded(file: "/c"),
    .configurationInvalid(
      ConfigurationMistake(file: "/c", line: 3, column: 1, key: "snooze", reason: "r")),
    .partsMissing(["a session bus", "journald"]),
    .clockStepped(by: .seconds(3_600)), .resumed(after: .seconds(60)),
    .store(.unavailable(reason: "r")), .store(.availableAgain), .store(.readOnly(reason: "r")),
    .store(.diskFull), .store(.commitFailed(reason: "r")), .store(.takenAway), .store(.logLost),
    .store(.salvaged(setAside: "f", alarms: 3, occurrences: 4, lost: 1, reason: "r")),
    .store(.migrated(from: 1, to: 2, copy: "c")), .store(.unwatched), .store(.foreignWrite),
    .store(.movedBoots(alarms: 2)), .store(.zoneChanged(from: "UTC", to: "Asia/Tokyo", moved: 2)),
    .store(.zoneDataChanged(["Europe/Paris"], moved: 3)), .store(.zoneUnusable("Asia/Tokyo", reason: "r")),
    .noServer(reason: "r"),
    .serverAppeared(name: "dunst", owner: ":1.2"), .noBus(reason: "r"), .busAppeared(address: "unix:path=/b"),
    .notHeard(reason: "r"), .soundUnplayable(number: 1, sound: "s"),
    .hookEnded(hook(.exited(0))), .hookEnded(hook(.exited(3))), .hookEnded(hook(.notStarted("r"))),
    .changeRefused(method: "Delete", reason: "WrongState"),
    .clientCutOff(pid: 1, uid: 2, isOurs: true),
  ]

  private static func hook(_ result: HookRun.Result) -> HookEnd {
    HookEnd(
      number: 1, ring: RingID(occurrence: 2, firedAt: Instant(microseconds: 3)),
      run: HookRun(hook: "/h", result: result))
  }

  @Test("Every kind of event has its own message ID")
  func ownIDs() {
    let ids = Self.events.map(\.record.id)
    #expect(
      Set(ids).union([.rang, .missed, .unanswered, .undone] + ChangeKind.allCases.map { MessageID($0) })
        == Set(MessageID.allCases))
    #expect(Set(ids).count == ids.count)
  }

  @Test("No event contains a label, and journald accepts every field name")
  func fieldNames() {
    for event in Self.events {
      for field in event.record.fields {
        #expect(field.name != "EGG_LABEL")
        #expect(field.name.allSatisfy { $0.isASCII && ($0.isUppercase || $0 == "_" || $0.isNumber) })
      }
    }
  }
}
