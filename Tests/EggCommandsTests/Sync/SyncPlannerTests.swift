import Alarms
import EggProtocol
import EggTime
import Foundation
import ICalendar
import Testing

@testable import EggCommands

/// What synchronising does in each case, with a real folder and no eggd. It is 2026-11-20 21:34:30 UTC.
@Suite struct SyncPlannerTests {
  let folder: SyncFolder
  let reader = ContentReader(context: ReadingContext(now: Run.now, zone: .utc))

  init() throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "eggctl-sync-\(UUID().uuidString)").path
    folder = SyncFolder(path: path)
    try folder.create()
  }

  private static let moment = Instant(microseconds: 1_800_000_000_000_000)

  func alarm(_ label: String, _ change: (inout Alarm) -> Void = { _ in }) -> WireAlarm {
    var alarm = Alarm(
      number: 7, id: AlarmID(), label: label, position: 0, timing: .instant(Self.moment),
      expression: "2027-01-15T08:00:00Z", readingZone: "UTC", createdAt: Run.now, due: .wall(Self.moment))
    change(&alarm)
    return WireAlarm(alarm) { Instant(microseconds: $0.microseconds) }
  }

  /// Without the placeholder.
  func plan(
    _ known: [SyncState.Entry], _ alarms: [WireAlarm], scope: SyncScope = SyncScope(), since: Instant? = nil,
    now: Instant = Run.now, cleared: Set<AlarmID> = []
  ) throws -> SyncPlan {
    var reader = reader
    (reader.scope, reader.since, reader.context.now) = (scope, since, now)
    var plan = try SyncPlanner.plan(
      known, folder, try folder.scan() ?? [:], alarms, reader, cleared: cleared)
    plan.entries.removeAll { $0.file == SyncPlaceholder.file }
    plan.writes.removeAll { $0.file == SyncPlaceholder.file }
    return plan
  }

  func put(_ text: String, as name: String) throws {
    try folder.stage(".staged", Array(text.utf8), as: name)
    #expect(try folder.publish(".staged", as: name, over: folder.stamp(of: name)))
  }

  /// The entries after a plan's files were written.
  func settled(_ plan: SyncPlan) throws -> [SyncState.Entry] {
    for write in plan.writes { try put(write.text, as: write.file) }
    return plan.entries.map { entry in
      var entry = entry
      entry.stamp = folder.stamp(of: entry.file)
      return entry
    }
  }

  /// A folder and a list that are equal.
  private func pair(_ alarm: WireAlarm, scope: SyncScope = SyncScope()) throws -> [SyncState.Entry] {
    let first = try plan([], [alarm], scope: scope)
    #expect(first.writes.count == 1 && !first.changesList)
    let known = try settled(first)
    let second = try plan(known, [alarm], scope: scope)
    #expect(!second.changesFolder && !second.changesList)
    return known
  }

  func rewrite(_ entry: SyncState.Entry, _ change: (String) -> String) throws {
    let text = String(decoding: try #require(try folder.read(entry.file)), as: UTF8.self)
    try put(change(text), as: entry.file)
  }

  func remove(_ entry: SyncState.Entry) throws {
    try folder.remove(entry.file, try #require(folder.stamp(of: entry.file)))
  }

  @Test("An alarm becomes a file, and then nothing is left to do") func first() throws {
    let known = try pair(alarm("tea"))
    let text = String(decoding: try #require(try folder.read(known[0].file)), as: UTF8.self)
    #expect(text.contains("SUMMARY:tea") && text.contains("DTSTART:20270115T080000Z"))
    #expect(known[0].id != nil && known[0].digest != nil && known[0].common != nil)
  }

  @Test("A file that is too large is read to the limit, named and left") func large() throws {
    #expect(mkfifo(folder.path + "/fifo.ics", 0o600) == 0)
    try put("", as: "large.ics")
    #expect(truncate(folder.path + "/large.ics", 3 << 30) == 0)
    #expect(try folder.read("large.ics")?.count == SyncFolder.longest + 1)
    #expect(try folder.read("fifo.ics") == nil)
    let plan = try plan([], [])
    #expect(plan.entries.map(\.problem) == ["it is too large"])
  }

  @Test("Fields that were changed on different sides are merged") func merge() throws {
    let old = alarm("tea")
    let known = try pair(old)
    try rewrite(known[0]) { $0.replacing("SUMMARY:tea", with: "SUMMARY:green tea") }
    var new = old
    (new.note, new.modifiedAt) = ("two minutes", Run.now + .seconds(5))
    let plan = try plan(known, [new])
    #expect(plan.replaced.map(\.label) == ["green tea"])
    #expect(plan.replaced.map(\.note) == ["two minutes"])
    #expect(plan.writes.count == 1 && plan.writes[0].text.contains("COMMENT:two minutes"))
    #expect(plan.writes[0].text.contains("SUMMARY:green tea") && plan.writes[0].text.contains("SEQUENCE:1"))
    // For a merge with what vdirsyncer may bring.
    let earlier = plan.entries.flatMap { $0.earlier ?? [] }
    #expect(earlier.map { $0.contains("COMMENT:two minutes") } == [false, true])
    #expect(plan.notices.isEmpty)
  }

  @Test(
    "Of a field that both sides changed, the later change stays, and that is said", arguments: [true, false])
  func conflict(isFolderLater: Bool) throws {
    let old = alarm("tea")
    let known = try pair(old)
    let stamp = isFolderLater ? "20261120T220000Z" : "20261120T213430Z"
    try rewrite(known[0]) {
      $0.replacing("SUMMARY:tea", with: "SUMMARY:there").replacing(
        "LAST-MODIFIED:20261120T213430Z", with: "LAST-MODIFIED:\(stamp)")
    }
    var new = old
    (new.label, new.modifiedAt) = ("here", Run.now + .seconds(5))
    let plan = try plan(known, [new])
    #expect(plan.replaced.map(\.label) == (isFolderLater ? ["there"] : []))
    #expect(plan.writes.map { $0.text.contains("SUMMARY:here") } == (isFolderLater ? [] : [true]))
    let winner = isFolderLater ? "the folder's change" : "the change here"
    #expect(plan.notices.map(\.text) == ["changed on both sides; \(winner) is later and stays (label)"])
    #expect(plan.notices.map(\.subject) == ["alarm 7"])
  }

  @Test("The entry of an alarm that eggd deleted by itself stays, and is its entry again if it is back")
  func cleared() throws {
    let old = alarm("tea")
    let known = try pair(old)
    let gone = try plan(known, [], cleared: [try #require(old.id)])
    #expect(!gone.changesFolder && !gone.changesList && gone.entries.map(\.file) == [known[0].file])
    let later = try plan(gone.entries, [])
    #expect(!later.changesFolder && !later.changesList && later.entries == gone.entries)
    let back = try plan(later.entries, [old])
    #expect(!back.changesFolder && !back.changesList && back.entries.map(\.id) == [old.id])
    #expect(try plan(back.entries, []).removals.map(\.file) == [known[0].file])
  }

  @Test("A deletion is carried over, and a change beats it") func deletions() throws {
    let old = alarm("tea")
    let known = try pair(old)
    let here = try plan(known, [])
    #expect(here.removals.map(\.file) == [known[0].file] && here.entries.isEmpty)
    try rewrite(known[0]) { $0.replacing("SUMMARY:tea", with: "SUMMARY:green tea") }
    let changedThere = try plan(known, [])
    #expect(changedThere.created.map(\.label) == ["green tea"] && changedThere.created.map(\.id) == [old.id])
    try remove(known[0])
    let there = try plan(known, [old])
    #expect(there.deleted == [old.id] && !there.changesFolder && there.entries.isEmpty)
    var new = old
    new.label = "green tea"
    let changedHere = try plan(known, [new])
    #expect(changedHere.deleted.isEmpty && changedHere.writes.count == 1)
    #expect(changedHere.notices.count == 1)
  }

  @Test("A ring, a snooze and a passed moment are no changes") func rings() throws {
    let old = alarm("tea")
    let known = try pair(old)
    var rung = old
    (rung.state, rung.due, rung.modifiedAt) = (.rung, nil, Run.now)
    rung.latest = WireOccurrence(Occurrence(id: 1, dueAt: Self.moment, outcome: .rung))
    let plan = try plan(known, [rung])
    #expect(!plan.changesList && !plan.changesFolder && plan.notices.isEmpty)
  }

  @Test("A countdown's moment may move with the clock") func countdowns() throws {
    let old = alarm("tea") { $0.timing = .countdown(.seconds(9_000)) }
    let known = try pair(old)
    var later = old
    (later.due, later.modifiedAt) = (Self.moment + .seconds(1), Run.now)
    #expect(try !plan(known, [later]).changesFolder)
    (later.due, later.span) = (Self.moment + .seconds(60), .seconds(9_060))
    #expect(try plan(known, [later]).writes.count == 1)
    var paused = old
    (paused.state, paused.due, paused.remaining, paused.modifiedAt) = (.paused, nil, .seconds(60), Run.now)
    #expect(try !plan(known, [paused]).changesFolder)
  }

  @Test("A file with another name keeps its alarm; one with another UID does not") func names() throws {
    let old = alarm("tea")
    let known = try pair(old)
    try #require(rename("\(folder.path)/\(known[0].file)", "\(folder.path)/other.ics") == 0)
    let renamed = try plan(known, [old])
    #expect(!renamed.changesList && !renamed.changesFolder && renamed.entries.map(\.file) == ["other.ics"])
    let other = try settled(renamed)
    try rewrite(other[0]) { $0.replacing("UID:", with: "UID:x") }
    let replaced = try plan(other, [old])
    #expect(replaced.deleted == [old.id] && replaced.created.count == 1)
  }

  @Test("A file that a client renames in two steps, the new one first, keeps its alarm") func renamedInSteps()
    throws
  {
    let old = alarm("tea")
    let known = try pair(old)
    try put(String(decoding: try #require(try folder.read(known[0].file)), as: UTF8.self), as: "other.ics")
    let both = try plan(known, [old])
    #expect(both.entries.compactMap(\.problem) == ["another file has the same UID"])
    try remove(known[0])
    let renamed = try plan(try settled(both), [old])
    #expect(!renamed.changesList && !renamed.changesFolder && renamed.notices.isEmpty)
    #expect(renamed.entries.map(\.file) == ["other.ics"] && renamed.entries.map(\.id) == [old.id])
  }

  @Test("A file that was refused is read again, also if it stayed the same") func refused() throws {
    try event("meeting", "20270101T090000Z", "RRULE:FREQ=NEVER")
    let refused = try plan([], [])
    #expect(refused.entries.compactMap(\.problem).count == 1 && refused.created.isEmpty)
    var known = try settled(refused)
    try event("meeting", "20270101T090000Z", "RRULE:FREQ=DAILY")
    known[0].stamp = folder.stamp(of: "meeting.ics")
    #expect(try plan(known, []).created.map(\.label) == ["meeting"])
    let made = try plan([], [])
    known = try settled(made)
    known[0].problem = "its zone is unknown"
    #expect(try plan(known, made.created).entries.map(\.problem) == [nil])
  }

  @Test("A change of a line that is no field beats a deletion here, too") func foreignChange() throws {
    let old = alarm("tea")
    let known = try pair(old)
    try rewrite(known[0]) { $0.replacing("END:VEVENT", with: "LOCATION:garden\r\nEND:VEVENT") }
    let back = try plan(known, [])
    #expect(!back.changesFolder && back.created.map(\.id) == [old.id] && back.notices.count == 1)
    // Written anew, and the same.
    var touched = try settled(try plan(known, [old]))
    try rewrite(touched[0]) { $0 }
    #expect(try plan(touched, []).removals.map(\.file) == [known[0].file])
    // By an earlier program.
    touched[0].contents = nil
    #expect(try plan(touched, []).removals.map(\.file) == [known[0].file])
  }

  @Test("A file that is no entry stays, is named, and keeps its alarm") func broken() throws {
    let old = alarm("tea")
    let known = try pair(old)
    try rewrite(known[0]) { _ in "nonsense" }
    let plan = try plan(known, [old])
    #expect(!plan.changesList && !plan.changesFolder)
    #expect(plan.entries.map { $0.problem != nil } == [true] && plan.entries[0].id == old.id)
  }

  @Test("Without a common past, equal sides are a pair, and nothing is deleted") func anew() throws {
    let old = alarm("tea")
    _ = try pair(old)
    let equal = try plan([], [old])
    #expect(!equal.changesList && !equal.changesFolder && equal.entries.map(\.id) == [old.id])
    let gone = try plan([], [])
    #expect(gone.created.map(\.id) == [old.id] && gone.removals.isEmpty)
  }

  func event(_ uid: String, _ start: String, _ lines: String...) throws {
    let text = ["BEGIN:VCALENDAR", "BEGIN:VEVENT", "UID:\(uid)", "DTSTART:\(start)", "SUMMARY:\(uid)"]
    try put((text + lines + ["END:VEVENT", "END:VCALENDAR"]).map { $0 + "\r\n" }.joined(), as: uid + ".ics")
  }

  /// `alarm` after a ring that was due at its moment and came a second late; it is ten seconds later.
  private func rung(_ alarm: WireAlarm, _ change: (inout Occurrence) -> Void = { _ in }) -> WireAlarm {
    var rung = alarm
    var occurrence = Occurrence(id: 2, dueAt: Self.moment, outcome: .rung)
    (occurrence.firedAt, occurrence.lateness) = (Self.moment + .seconds(1), .seconds(1))
    change(&occurrence)
    rung.latest = WireOccurrence(occurrence)
    return rung
  }

  private func afterwards(_ known: [SyncState.Entry], _ alarm: WireAlarm) throws -> SyncPlan {
    try plan(known, [alarm], now: Self.moment + .seconds(10))
  }

  @Test("An answer goes to the file once") func answerHere() throws {
    let old = alarm("tea")
    let known = try pair(old)
    #expect(try afterwards(known, rung(old)).writes.isEmpty)
    let dismissed = rung(old) { $0.dismissedAt = Self.moment + .seconds(5) }
    let first = try afterwards(known, dismissed)
    #expect(first.writes.first?.text.contains("ACKNOWLEDGED:20270115T080005Z") == true)
    #expect(first.writes.first?.replaced == known[0].stamp && first.answers.isEmpty)
    let next = try afterwards(try settled(first), dismissed)
    #expect(!next.changesFolder && next.answers.isEmpty)
    let snoozed = rung(old) { $0.snoozedUntil = Self.moment + .seconds(300) }
    let second = try afterwards(known, snoozed)
    #expect(second.writes.first?.text.contains("RELTYPE=SNOOZE") == true)
    #expect(try !afterwards(try settled(second), snoozed).changesFolder)
  }

  @Test(
    "An answer in the file holds here if it is not before the ring, nor to come, and understood",
    arguments: [
      ("X-MOZ-LASTACK:20270115T080000Z", 1), ("X-MOZ-LASTACK:20270115T080010Z", 1),
      ("X-MOZ-LASTACK:20270115T075959Z", 0), ("X-MOZ-LASTACK:20270115T080011Z", 0),
      ("X-MOZ-LASTACK:20270115T080005Z\r\nX-MOZ-SNOOZE-TIME:20270115T080500Z", 1),
      ("X-MOZ-LASTACK:20270115T080005Z\r\nX-MOZ-SNOOZE-TIME:20270115T080008Z", 0),
      ("X-MOZ-LASTACK:20270115T080005Z\r\nX-MOZ-SNOOZE-TIME:soon", 0),
    ])
  func answerThere(line: String, count: Int) throws {
    let old = alarm("tea")
    let known = try pair(old)
    try rewrite(known[0]) { $0.replacing("SUMMARY:tea", with: "SUMMARY:tea\r\n\(line)") }
    let plan = try afterwards(known, rung(old))
    #expect(plan.answers.map(\.id) == (count == 0 ? [] : [old.id]))
    let end = line.contains("080500Z") ? Self.moment + .seconds(300) : nil
    #expect(plan.answers.allSatisfy { $0.until == end })
    #expect(plan.writes.isEmpty)
  }

  @Test("Of two answers the later one holds") func laterAnswer() throws {
    let old = alarm("tea")
    let known = try pair(old)
    try rewrite(known[0]) {
      $0.replacing("SUMMARY:tea", with: "SUMMARY:tea\r\nX-MOZ-LASTACK:20270115T080005Z")
    }
    // Snoozed when it was synchronised, ten seconds after the ring.
    let snoozed = rung(old) { $0.snoozedUntil = Self.moment + .seconds(300) }
    let plan = try afterwards(known, snoozed)
    #expect(plan.answers.isEmpty && plan.writes.first?.text.contains("RELTYPE=SNOOZE") == true)
    var past = known
    past[0].ring = SyncState.Ring(
      due: Self.moment, dismissedAt: nil, snoozedUntil: Self.moment + .seconds(300),
      noticedAt: Self.moment + .seconds(2))
    #expect(try afterwards(past, snoozed).answers.map(\.id) == [old.id])
    // A calendar has no parts of a second: snoozed here and dismissed there in the same one, it is dismissed.
    past[0].ring?.noticedAt = Self.moment + .milliseconds(5_300)
    #expect(try afterwards(past, snoozed).answers.map(\.id) == [old.id])
  }

  @Test("A to-do without a date is named once, and no mistake") func undated() throws {
    try put(
      "BEGIN:VCALENDAR\r\nBEGIN:VTODO\r\nUID:milk\r\nSUMMARY:milk\r\nEND:VTODO\r\nEND:VCALENDAR\r\n",
      as: "milk.ics")
    let first = try plan([], [])
    #expect(first.notices.map(\.text) == ["it is a to-do without a date and has no alarm"])
    #expect(first.notices.map(\.isConflict) == [false] && first.entries.map(\.problem) == [nil])
    let known = try settled(first)
    #expect(try plan(known, []).notices.isEmpty)
    try rewrite(known[0]) { $0.replacing("SUMMARY:milk", with: "SUMMARY:oat milk") }
    #expect(try plan(known, []).notices.isEmpty)
    try rewrite(known[0]) { $0.replacing("UID:milk", with: "UID:milk\r\nDUE:20270101T090000Z") }
    #expect(try plan(known, []).created.count == 1)
  }

  @Test("An entry that others made has the same identity on every machine") func identities() throws {
    #expect(Digest.identity(of: "dentist-1@example.org") == Digest.identity(of: "dentist-1@example.org"))
    #expect(Digest.identity(of: "a") != Digest.identity(of: "b"))
    let text = try #require(Digest.identity(of: "a")).description
    #expect(Array(text)[14] == "8" && "89ab".contains(Array(text)[19]))
  }

  /// The alarm of a file that somebody else made, and both as they are after that.
  func foreign(_ lines: String, name: String = "a.ics") throws -> (
    alarm: WireAlarm, known: [SyncState.Entry]
  ) {
    let file = "BEGIN:VCALENDAR\nVERSION:2.0\n\(lines)\nEND:VCALENDAR\n".replacing("\n", with: "\r\n")
    try put(file, as: name)
    let first = try plan([], [])
    let alarm = try #require(first.created.first)
    let second = try plan(settled(first), [alarm])
    #expect(!second.changesList && !second.changesFolder && second.notices.isEmpty)
    return (alarm, second.entries)
  }

  private static let series = """
    BEGIN:VTODO
    UID:bins
    DTSTAMP:20261101T000000Z
    DTSTART:20261201T190000Z
    DUE:20261201T200000Z
    RRULE:FREQ=WEEKLY
    SUMMARY:bins
    END:VTODO
    BEGIN:VTODO
    UID:bins
    DTSTAMP:20261101T000000Z
    RECURRENCE-ID:20261208T190000Z
    DTSTART:20261209T190000Z
    DUE:20261209T200000Z
    SUMMARY:bins
    END:VTODO
    """

  @Test("What a client drops is unchanged; what another eggctl removes is removed") func dropped() throws {
    let old = alarm("tea") {
      ($0.eggs, $0.group) = (7, "Sunday")
      ($0.manner.note, $0.manner.summary) = ("two minutes", "Ready")
    }
    let known = try pair(old)
    try rewrite(known[0]) { text in
      let kept = text.split(separator: "\r\n").filter { !$0.hasPrefix("X-EGGD-") && !$0.hasPrefix("COMMENT") }
      return kept.joined(separator: "\r\n").replacing("SUMMARY:tea", with: "SUMMARY:green tea") + "\r\n"
    }
    let stripped = try plan(known, [old])
    #expect(stripped.replaced.map(\.label) == ["green tea"] && stripped.replaced.map(\.eggs) == [7])
    #expect(stripped.replaced.map(\.note) == ["two minutes"] && stripped.replaced.map(\.summary) == ["Ready"])
    #expect(!stripped.changesFolder && stripped.notices.isEmpty)
    // A change here gives the file all of it again.
    var fewer = try #require(stripped.replaced.first)
    (fewer.eggs, fewer.note, fewer.modifiedAt) = (2, nil, Run.now + .seconds(5))
    let again = try plan(settled(stripped), [fewer])
    let text = try #require(again.writes.first).text
    #expect(text.contains("X-EGGD-EGGS:2") && text.contains("X-EGGD-SUMMARY:Ready"))
    #expect(text.contains("COMMENT:\r\n"))
    // To a machine that still has the note, it is removed.
    let other = try plan(known, [old])
    _ = try settled(again)
    let elsewhere = try plan(other.entries, [try #require(other.replaced.first)])
    #expect(elsewhere.replaced.map(\.eggs) == [2] && elsewhere.replaced.map(\.note) == [nil])
  }

  @Test("A time that a file cannot have stays here, the file stays, and that is said once") func apart()
    throws
  {
    let (old, known) = try foreign(Self.series)
    var new = old
    (new.kind, new.rule, new.instant) = (.at, nil, Self.moment)
    (new.civil, new.zone, new.floats, new.leads, new.due) = (nil, nil, nil, nil, Self.moment)
    new.modifiedAt = Run.now + .seconds(5)
    let first = try plan(known, [new])
    #expect(!first.changesFolder && !first.changesList)
    #expect(first.notices.map(\.text) == ["its file cannot have the new time: it stays there as it was"])
    let second = try plan(first.entries, [new])
    #expect(!second.changesFolder && !second.changesList && second.notices.isEmpty)
    // Other fields are carried over on their own.
    (new.label, new.modifiedAt) = ("paper", Run.now + .seconds(6))
    let third = try plan(second.entries, [new])
    #expect(third.writes.count == 1 && third.notices.isEmpty && !third.changesList)
    #expect(third.writes.first?.text.contains("RRULE:FREQ=WEEKLY\r\nSUMMARY:paper\r\n") == true)
    #expect(third.writes.first?.text.contains("RECURRENCE-ID:20261208T190000Z") == true)
    // A new time in the file is carried over here.
    let settledThird = try settled(third)
    try rewrite(settledThird[0]) {
      $0.replacing("T190000Z", with: "T180000Z").replacing("T200000Z", with: "T190000Z")
    }
    let fourth = try plan(settledThird, [new])
    #expect(fourth.replaced.map(\.kind) == [.every] && !fourth.changesFolder)
    #expect(fourth.entries.map { $0.apart == nil } == [true])
  }

  @Test("A series that a client completes as a whole ends; its file keeps the tick") func completed() throws {
    let (old, known) = try foreign(Self.series)
    try rewrite(known[0]) {
      $0.replacing(
        "RRULE:FREQ=WEEKLY", with: "RRULE:FREQ=WEEKLY\r\nSTATUS:COMPLETED\r\nCOMPLETED:20261120T000000Z")
    }
    let plan = try plan(known, [old])
    #expect(plan.deleted == [old.id] && !plan.changesFolder)
  }

  @Test("What an alarm leaves out of its file is said when it is new, and when the file is changed")
  func told() throws {
    let far =
      "BEGIN:VALARM\nACTION:DISPLAY\nTRIGGER:-P90D\nEND:VALARM\nBEGIN:VALARM\nACTION:AUDIO\nTRIGGER:-PT5M\nEND:VALARM"
    let event = "BEGIN:VEVENT\nUID:a\nDTSTART:20270115T080000Z\nSUMMARY:tea\n\(far)\nEND:VEVENT"
    let file = "BEGIN:VCALENDAR\nVERSION:2.0\n\(event)\nEND:VCALENDAR\n"
    try put(file, as: "a.ics")
    let first = try plan([], [])
    let note = "a.ics: alarms more than 28 days away from it are left out: -P90D"
    #expect(first.notices.map { "\($0.subject): \($0.text)" } == [note])
    let alarm = try #require(first.created.first)
    let second = try plan(settled(first), [alarm])
    #expect(second.notices.isEmpty)
    try rewrite(second.entries[0]) { $0.replacing("SUMMARY:tea", with: "SUMMARY:green tea") }
    #expect(try plan(second.entries, [alarm]).notices.count == 1)
  }
}

extension SyncPlan.Write {
  var text: String { String(decoding: bytes, as: UTF8.self) }
}
