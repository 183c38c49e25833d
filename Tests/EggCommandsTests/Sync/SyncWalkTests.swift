import Alarms
import EggProtocol
import EggTestSupport
import EggTime
import Foundation
import Testing

@testable import EggCommands

/// Random changes of a list and of two of its folders, one for a group: whatever a phone wrote stays until the phone or
/// the list deletes it, and every entry has its alarm. It is 2026-11-20 21:34:30 UTC.
@Suite struct SyncWalkTests {
  private static let seeds = 0..<24
  private static let steps = 60

  @Test("Nothing that a phone wrote is lost", arguments: seeds) func nothingIsLost(seed: Int) throws {
    var walk = try Walk(seed: UInt64(seed))
    defer { walk.end() }
    for _ in 0..<Self.steps { try walk.step() }
    for _ in 0..<4 { for place in walk.places.indices { try walk.synchronise(place) } }
    try walk.checkAlarms()
  }
}

private struct Walk {
  struct Place {
    let folder: SyncFolder
    let group: String?
    var known: [SyncState.Entry] = []
  }

  /// What the phone wrote into an entry.
  struct Entry {
    var marks: Set<String> = []
    /// Whether the phone has changed it since it was synchronised.
    var isNew = true
  }

  private let path = FileManager.default.temporaryDirectory.appending(
    path: "eggctl-walk-\(UUID().uuidString)"
  ).path
  private let context = ReadingContext(now: Run.now, zone: .utc)
  private var random: SeededGenerator
  private var count = 0
  private(set) var places: [Place]
  private var alarms: [AlarmID: WireAlarm] = [:]
  private var entries: [String: Entry] = [:]
  /// Files that the phone has written under a second name.
  private var copied: [(place: Int, file: String)] = []

  init(seed: UInt64) throws {
    random = SeededGenerator(seed: seed)
    places = []
    for (name, group) in [("all", nil), ("work", "work")] {
      places.append(Place(folder: SyncFolder(path: "\(path)/\(name)"), group: group))
    }
    for place in places { try place.folder.create() }
  }

  func end() { try? FileManager.default.removeItem(atPath: path) }

  mutating func step() throws {
    let file = try files().randomElement(using: &random)
    let id = alarms.keys.sorted { $0.description < $1.description }.randomElement(using: &random)
    switch Int.random(in: 0..<12, using: &random) {
    case 0: try create()
    case 1, 2: if let file { try mark(file) }
    case 3: if let file { try relabel(file) }
    case 4: if let file { try rename(file) }
    case 5: if let file, Bool.random(using: &random) { try remove(file.uid) }
    case 6: if let id { change(id) { $0.label = "here \($1)" } }
    case 7, 8: if let id { change(id) { alarm, _ in alarm.group = alarm.group == nil ? "work" : nil } }
    case 9: if let id { delete(id) }
    default: try synchronise(Int.random(in: 0..<places.count, using: &random))
    }
  }

  private mutating func next() -> Int {
    count += 1
    return count
  }

  private struct File {
    var place: Int
    var name: String
    var uid: String
    var text: String
  }

  private func files() throws -> [File] {
    var files: [File] = []
    for (place, folder) in places.map(\.folder).enumerated() {
      for name in try #require(try folder.scan()).keys.sorted() where name != SyncPlaceholder.file {
        let text = String(decoding: try #require(try folder.read(name)), as: UTF8.self)
        let uid = String(try #require(text.firstMatch(of: /\r\nUID:(.*?)\r\n/)?.1))
        files.append(File(place: place, name: name, uid: uid, text: text))
      }
    }
    return files
  }

  private func put(_ bytes: [UInt8], as name: String, in place: Int) throws {
    let folder = places[place].folder
    try folder.stage(".staged", bytes, as: name)
    #expect(try folder.publish(".staged", as: name, over: folder.stamp(of: name)))
  }

  /// By the phone, with a line that no alarm has.
  private mutating func create() throws {
    let place = Int.random(in: 0..<places.count, using: &random)
    let uid = "entry-\(next())@example.org"
    let lines = [
      "BEGIN:VCALENDAR", "VERSION:2.0", "BEGIN:VEVENT", "UID:\(uid)", "DTSTART:20270115T080000Z",
      "SUMMARY:\(uid)",
      "END:VEVENT", "END:VCALENDAR",
    ]
    entries[uid] = Entry()
    try mark(File(place: place, name: "\(count).ics", uid: uid, text: lines.map { $0 + "\r\n" }.joined()))
  }

  private mutating func mark(_ file: File) throws {
    let mark = "X-MARK:\(next())"
    try rewrite(file, file.text.replacing("END:VEVENT", with: mark + "\r\nEND:VEVENT"))
    entries[file.uid]?.marks.insert(mark)
  }

  private mutating func relabel(_ file: File) throws {
    let old = try #require(file.text.firstMatch(of: /\r\nSUMMARY:.*?\r\n/)?.output)
    try rewrite(file, file.text.replacing(old, with: "\r\nSUMMARY:there \(next())\r\n"))
  }

  private mutating func rewrite(_ file: File, _ text: String) throws {
    try put(Array(text.utf8), as: file.name, in: file.place)
    let marks = text.matches(of: /X-MARK:[0-9]+/).map { String($0.output) }
    entries[file.uid] = Entry(marks: (entries[file.uid]?.marks ?? []).intersection(marks))
  }

  /// In two steps, between which anything can happen.
  private mutating func rename(_ file: File) throws {
    if let copied = copied.popLast(),
      let old = try files().first(where: { $0.place == copied.place && $0.name == copied.file }),
      try files().contains(where: { $0.name != old.name && $0.text == old.text })
    {
      return try places[old.place].folder.remove(
        old.name, #require(places[old.place].folder.stamp(of: old.name)))
    }
    try put(Array(file.text.utf8), as: "renamed-\(next()).ics", in: file.place)
    copied.append((file.place, file.name))
  }

  private mutating func remove(_ uid: String) throws {
    for file in try files() where file.uid == uid {
      let folder = places[file.place].folder
      try folder.remove(file.name, try #require(folder.stamp(of: file.name)))
    }
    entries[uid] = nil
  }

  private mutating func change(_ id: AlarmID, _ change: (inout WireAlarm, Int) -> Void) {
    guard var alarm = alarms[id] else { return }
    change(&alarm, next())
    alarm.modifiedAt = Run.now + .seconds(Int64(count))
    alarms[id] = alarm
  }

  private mutating func delete(_ id: AlarmID) {
    alarms[id] = nil
    for (uid, entry) in entries where Digest.identity(of: uid) == id && !entry.isNew { entries[uid] = nil }
  }

  mutating func synchronise(_ number: Int) throws {
    let place = places[number]
    let seen = try files().filter { $0.place == number }.map(\.uid)
    var scope = SyncScope(group: place.group)
    if place.group == nil { scope.others.groups = ["work": places[1].folder.path] }
    let reader = ContentReader(context: context, scope: scope)
    let others = places.indices.filter { $0 != number }.flatMap { other in
      places[other].known.compactMap { entry in
        entry.id.map { ($0, OtherFile(folder: places[other].folder, entry: entry, isKept: false)) }
      }
    }
    let plan = try SyncPlanner.plan(
      place.known, place.folder, try #require(try place.folder.scan()),
      alarms.values.sorted { $0.createdAt ?? Run.now < $1.createdAt ?? Run.now }, reader,
      elsewhere: { Dictionary(others) { first, _ in first } })
    for alarm in plan.created + plan.replaced { alarms[try #require(alarm.id)] = alarm }
    for id in plan.deleted { alarms[id] = nil }
    places[number].known = plan.entries
    for write in plan.writes {
      try put(write.bytes, as: write.file, in: number)
      let entry = try #require(plan.entries.firstIndex { $0.file == write.file })
      places[number].known[entry].stamp = place.folder.stamp(of: write.file)
      if let source = write.source {
        try SyncFolder(path: try #require(source.folder)).remove(source.file, source.stamp)
      }
    }
    for removal in plan.removals { try place.folder.remove(removal.file, removal.stamp) }
    for uid in seen + (try files().filter { $0.place == number }.map(\.uid)) { entries[uid]?.isNew = false }
    try checkMarks()
  }

  private func checkMarks() throws {
    let files = try files()
    for (uid, entry) in entries {
      let texts = files.filter { $0.uid == uid }.map(\.text)
      for mark in entry.marks { #expect(texts.contains { $0.contains(mark + "\r\n") }, "\(uid) \(mark)") }
    }
  }

  func checkAlarms() throws {
    for uid in entries.keys {
      let id = try #require(Digest.identity(of: uid))
      let texts = try files().filter { $0.uid == uid }.map { "\($0.place) \($0.name)" }
      #expect(alarms[id] != nil, "\(uid) \(texts) \(places.map { $0.known.filter { $0.uid == uid } })")
    }
  }
}
