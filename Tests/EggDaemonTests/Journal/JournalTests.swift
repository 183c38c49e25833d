import Alarms
import Dispatch
import EggDaemon
import EggStore
import EggTestSupport
import EggTime
import Glibc
import Ringing
import Synchronization
import Testing

@Suite struct EntryTests {
  private let card = AlarmCard(
    id: AlarmID(), label: "two soft ones", expression: "6m30s",
    category: .soft, group: "Sunday")

  private func fields(_ entry: Notice) -> [String: String] {
    Dictionary(uniqueKeysWithValues: entry.record.fields.map { ($0.name, $0.value) })
  }

  @Test("A ring's entry has the bubble's text and all known fields")
  func ring() {
    let entry = Notice(
      occurrence: 1, number: 12, card: card, dueAt: Instant(microseconds: 17), lateness: .seconds(2),
      reason: .asleep)
    #expect(entry.record.message == "Wait! Your eggs are almost done! (two soft ones, #12)")
    #expect(entry.record.priority == .notice)
    #expect(
      fields(entry) == [
        "EGG_ALARM_ID": card.id.description, "EGG_ALARM_NUMBER": "12", "EGG_SUMMARY": "Wait!",
        "EGG_BODY": "Your eggs are almost done!", "EGG_LABEL": "two soft ones", "EGG_DUE_AT": "17",
        "EGG_LATENESS_US": "2000000", "EGG_LATE_REASON": "asleep", "EGG_CATEGORY": "soft",
        "EGG_GROUP": "Sunday",
      ])
  }

  @Test("The entry of a lead, whose fields hooks are given, says which moment it is for")
  func lead() {
    let entry = Notice(
      occurrence: 1, number: 12, card: card, dueAt: Instant(microseconds: 17), ahead: .seconds(900),
      lateness: .zero, reason: nil)
    #expect(fields(entry)["EGG_DUE_AT"] == "17")
    #expect(fields(entry)["EGG_MOMENT_AT"] == "900000017")
  }

  @Test("The entry of a missed alarm says which and when, and has neither summary nor body")
  func missed() {
    let entry = Notice(
      occurrence: 1, number: 12, card: card, dueAt: Instant(microseconds: 1_795_210_465_000_000),
      lateness: .seconds(5), reason: .down)
    let record = entry.missedRecord(in: .utc)
    #expect(
      record.message
        == "Missed #12 \"two soft ones\", due 2026. 11. 20. 21:34:25, 5 s late: eggd was not running")
    #expect(!record.fields.contains { ["EGG_SUMMARY", "EGG_BODY"].contains($0.name) })
    #expect(!record.message.contains("Wait!"))
  }

  @Test("Characters that reorder text are escaped in all texts of a ring; the body keeps its lines")
  func bidirectional() {
    let card = card.changed {
      ($0.label, $0.summary, $0.body) = ("\u{202e}two", "Up\u{2066}!", "One\nTwo\u{200f}")
    }
    let entry = Notice(
      occurrence: 1, number: 1, card: card, dueAt: Instant(microseconds: 17), lateness: .zero, reason: nil)
    #expect(entry.record.message == "Up\\u{2066}! One\nTwo\\u{200f} (\\u{202e}two, #1)")
    #expect(fields(entry)["EGG_SUMMARY"] == "Up\\u{2066}!")
    #expect(fields(entry)["EGG_BODY"] == "One\nTwo\\u{200f}")
    #expect(fields(entry)["EGG_LABEL"] == "\\u{202e}two")
  }

  @Test("A ring without reason or label lacks their fields, and its own texts are its message")
  func ownTexts() {
    let card = card.changed { ($0.label, $0.summary, $0.body) = (nil, "Up!", "One\nTwo") }
    let entry = Notice(
      occurrence: 1, number: 1, card: card, dueAt: Instant(microseconds: 17), lateness: .zero, reason: nil)
    #expect(entry.record.message == "Up! One\nTwo")
    #expect(fields(entry)["EGG_SUMMARY"] == "Up!")
    #expect(fields(entry)["EGG_BODY"] == "One\nTwo")
    #expect(fields(entry).keys.allSatisfy { $0 != "EGG_LABEL" && $0 != "EGG_LATE_REASON" })
  }
}

@Suite struct StartFailureTests {
  private func record(_ error: any Error) -> JournalRecord {
    let failure = StartFailure(error)
    return JournalEvent.startRefused(status: failure.status, reason: failure.message, hint: failure.hint)
      .record
  }

  private func fields(_ record: JournalRecord) -> [String: String] {
    Dictionary(uniqueKeysWithValues: record.fields.map { ($0.name, $0.value) })
  }

  @Test("Of what is not permitted the remedy names what exists")
  func notPermitted() {
    func hint(_ path: String) -> String? {
      StartFailure(StoreOpenError.notPermitted(path: path, reason: "Permission denied")).hint
    }
    #expect(hint("/proc/no/such") == "ls -ld '/proc'")
    #expect(hint("/nonexistent/eggd") == "ls -ld '/'")
    #expect(hint("/proc") == "ls -ld '/proc'")
  }

  @Test("A start failure is journaled with its remedy, also in the text")
  func hint() {
    let record = record(StoreOpenError.networkFileSystem(path: "/far", type: "nfs"))
    let reason = "'/far' lies on a network file system (nfs), where the schedule can't be kept safely"
    let hint = "set XDG_STATE_HOME to a folder on a local disk"
    #expect(record.message == "Cannot start: \(reason); hint: \(hint)")
    #expect(fields(record) == ["EGG_REASON": reason, "EXIT_STATUS": "78", "EGG_HINT": hint])
  }

  @Test("A start failure without a remedy has no hint")
  func noHint() {
    let record = record(StoreOpenError.notDurable(path: "/db"))
    #expect(record.message == "Cannot start: SQLite does not sync '/db' at each commit")
    #expect(fields(record).keys.sorted() == ["EGG_REASON", "EXIT_STATUS"])
  }
}

/// Without journald.
@Suite struct JournalLineTests {
  /// What the journal writes to stderr during `body`.
  private func lines(_ body: (Journal, FakeClock) -> Void) throws -> String {
    let standardError = try StandardError()
    let clock = FakeClock()
    let journal = Journal(
      queue: DispatchQueue(label: "journal"), clock: clock, socket: "/nonexistent/socket",
      standardError: standardError.descriptor)
    body(journal, clock)
    journal.flush()
    return standardError.text()
  }

  private func entry(body: String? = nil, lateness: TimeSpan = .zero) -> Notice {
    let card = AlarmCard(id: AlarmID(), manner: Manner(body: body), expression: "5s")
    return Notice(
      occurrence: 1, number: 1, card: card, dueAt: Instant(microseconds: 0), lateness: lateness,
      reason: lateness == .zero ? nil : .asleep)
  }

  @Test("A ring is one line on stderr, with its priority, and its moment is reported")
  func ring() throws {
    let moment = Mutex<Instant?>(nil)
    let text = try lines { journal, _ in
      journal.ring(entry()) { at in moment.withLock { $0 = at } }
    }
    #expect(text == "<5>Wait! Your eggs are almost done!\n")
    #expect(moment.withLock { $0 } == FakeClock().read().wall)
  }

  @Test("The line of a late ring says how late it is, and why")
  func late() throws {
    let text = try lines { journal, _ in journal.ring(entry(lateness: .seconds(3))) { _ in } }
    #expect(text == "<5>Wait! Your eggs are almost done!, 3 s late: the machine was asleep\n")
  }

  @Test("A body of many lines becomes one line and forges no other")
  func forged() throws {
    let text = try lines { journal, _ in journal.ring(entry(body: "One\n<0>Two")) { _ in } }
    #expect(text == "<5>Wait! One <0>Two\n")
  }

  @Test("Debug messages are not written to stderr")
  func debug() throws {
    let text = try lines { journal, _ in
      journal.log(.changeRefused(method: "Delete", reason: "WrongState"))
      journal.log(.stopping)
    }
    #expect(text == "<6>Stopping\n")
  }

  @Test("Events come in order, each with its priority")
  func events() throws {
    let text = try lines { journal, _ in
      journal.log(.store(.diskFull))
      journal.log(.noBus(reason: "none"))
      journal.log(.stopping)
    }
    #expect(text.split(separator: "\n").map { $0.prefix(3) } == ["<3>", "<4>", "<6>"])
  }
}
