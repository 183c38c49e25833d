import EggTime
import Gettext
import ICalendar

/// `eggctl sync --merge`: makes one of two versions of an entry. vdirsyncer asks for it where an entry was changed on the
/// server and, before that was known, in the folder.
///
/// It is the server's version with the fields that were changed here since both had the same. What that was, nobody
/// says: vdirsyncer may have carried any of the changes from here. Of all that the file had, it is the one from which the
/// server's version differs in the fewest fields, and of several the last that is not younger.
struct SyncMerge {
  private let reader: ContentReader
  private let states: [SyncState]

  init(in surroundings: Surroundings) throws {
    let context = ReadingContext(now: surroundings.now(), zone: try surroundings.zone())
    reader = ContentReader(context: context, daysOff: try Connection(surroundings).daysOff())
    states = try SyncStateFile(folder: "", in: surroundings).siblings().compactMap { try $0.file.read() }
  }

  /// Makes both files the same. If they are not versions of one entry, throws and changes neither: vdirsyncer would take
  /// the result as merged.
  func run(_ here: String, _ there: String) throws {
    let places = [here, there].map { path in
      let (folder, name) = (Self.folder(path), Self.name(path))
      return (folder: folder, name: name, staged: SyncFolder.stagingName(), stamp: folder.stamp(of: name))
    }
    let (mine, its) = (try item(here), try item(there))
    guard mine.uid == its.uid else {
      throw Failure(.refused, tr("'\(here.visible)' and '\(there.visible)' are different entries"))
    }
    let earlier = states.flatMap(\.entries).filter { $0.uid == mine.uid }.flatMap(\.versions)
    let merged = reader.merged(mine, its, since: earlier)
    defer { for place in places { place.folder.unstage(place.staged, as: place.name) } }
    for place in places { try place.folder.stage(place.staged, merged, as: place.name) }
    for place in places {
      guard try place.folder.publish(place.staged, as: place.name, over: place.stamp) else {
        throw Failure(.refused, tr("'\(place.name.visible)' was changed meanwhile"))
      }
    }
  }

  private func item(_ path: String) throws -> CalendarItem {
    guard let bytes = try Self.folder(path).read(Self.name(path)) else {
      throw Failure(.refused, tr("'\(path.visible)' cannot be read"))
    }
    do {
      return try reader.item(bytes)
    } catch {
      throw Failure(.refused, tr("'\(path.visible)' cannot be merged: \(error.message)"))
    }
  }

  private static func folder(_ path: String) -> SyncFolder {
    SyncFolder(path: path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ".")
  }

  private static func name(_ path: String) -> String { String(path.split(separator: "/").last ?? "") }
}

extension SyncState.Entry {
  /// What its file had, the oldest first.
  fileprivate var versions: [String] { (earlier ?? []) + [apart ?? common].compactMap(\.self) }
}

extension ContentReader {
  /// - Parameter versions: What the file had, the oldest first.
  func merged(_ here: CalendarItem, _ there: CalendarItem, since versions: [String]) -> [UInt8] {
    guard let hereEntry = here.entry, let thereEntry = there.entry,
      let past = common(there, thereEntry, of: versions)
    else { return there.bytes }
    let (mine, its) = (content(of: hereEntry, past: past), content(of: thereEntry, past: past))
    let changes = ContentChanges(mine, its, since: (past, past))
    let changedAt = here.modifiedAt ?? context.now
    var new = its
    new.take(changes.toThere(thereWins: there.modifiedAt.map { $0 > changedAt } ?? false), from: mine)
    // What the client there has dropped, or never had, comes back.
    let old = content(of: thereEntry, past: nil)
    let fields = new.differences(from: old)
    var bytes = there.bytes
    if !fields.isEmpty {
      let edited = self.edited(
        there, fields, from: old, to: new, changedAt: changedAt, doneAt: hereEntry.doneAt)
      bytes = edited?.bytes ?? bytes
    }
    switch (here.answers, there.answers) {
    case (.last(let answer), .last(let other)) where other.at >= answer.at: return bytes
    case (.last(let answer), .last), (.last(let answer), .none):
      let item = try? CalendarItem(bytes, in: context)
      return item?.bytes(answered: answer, of: nil) ?? bytes
    default: return bytes
    }
  }

  private func common(
    _ there: CalendarItem, _ entry: CalendarEntry, of versions: [String]
  ) -> CalendarContent? {
    let items = versions.compactMap { try? CalendarItem(Array($0.utf8), in: context) }
    let older = items.filter { item in
      guard let modifiedAt = item.modifiedAt, let last = there.modifiedAt else { return true }
      return modifiedAt <= last
    }
    let contents = (older.isEmpty ? Array(items.prefix(1)) : older).compactMap(content)
    func distance(_ past: CalendarContent) -> Int {
      content(of: entry, past: past).differences(from: past).count
    }
    return contents.reversed().min { distance($0) < distance($1) }
  }
}

/// What two sides have changed since they had something in common.
struct ContentChanges {
  private let here: Set<CalendarContent.Field>
  private let there: Set<CalendarContent.Field>

  init(
    _ here: CalendarContent, _ there: CalendarContent,
    since past: (here: CalendarContent, there: CalendarContent)
  ) {
    let different = here.differences(from: there)
    self.here = here.differences(from: past.here).intersection(different)
    self.there = there.differences(from: past.there).intersection(different)
  }

  var both: Set<CalendarContent.Field> { here.intersection(there) }

  /// - Parameter wins: Whether what both have changed stays as it is there.
  func toHere(thereWins wins: Bool) -> Set<CalendarContent.Field> { wins ? there : there.subtracting(both) }

  func toThere(thereWins wins: Bool) -> Set<CalendarContent.Field> { wins ? here.subtracting(both) : here }
}
