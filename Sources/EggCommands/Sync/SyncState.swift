import Alarms
import EggProtocol
import EggTime
import Gettext
import Glibc
import LinuxIO
import Varlink

/// What folder and list had in common after the last synchronising. Without it nobody could tell what is new on
/// one side from what was deleted on the other.
struct SyncState: Codable, Equatable {
  /// A file, and the alarm that it became.
  struct Entry: Codable, Equatable {
    var file: String
    /// nil: the file is to be read again.
    var stamp: SyncFolder.Stamp?
    /// Digest of what the file held when it was read or written last.
    var contents: String?
    var uid: String?
    /// nil if the file has no alarm.
    var id: AlarmID?
    /// The content of both sides, as iCalendar.
    var common: String?
    /// What the file has instead, where it cannot have all of that; nil: the same.
    var apart: String?
    /// What the file had before and after each change from here, with LAST-MODIFIED, the oldest first: see
    /// ``SyncMerge``.
    var earlier: [String]?
    /// Of the alarm's fields; nil: they are to be compared again.
    var digest: String?
    /// Why the file has no alarm, if that is a mistake.
    var problem: String?
    /// As it was compared with the file.
    var ring: Ring?
    /// A to-do without a date, which was named.
    var isUndated: Bool?

    private static let mostEarlier = 8

    mutating func keep(_ text: String?) {
      guard let text, text != earlier?.last else { return }
      earlier = (earlier ?? []).suffix(Self.mostEarlier - 1) + [text]
    }
  }

  /// What is done to the folder once the list has been changed.
  struct Steps: Codable, Equatable {
    struct Removal: Codable, Equatable {
      var file: String
      var stamp: SyncFolder.Stamp
      /// nil for the folder that is synchronised.
      var folder: String?
    }

    struct Write: Codable, Equatable {
      var file: String
      /// Its name beside its place.
      var staged: String
      /// The file that it replaces; nil for a new one.
      var replaced: SyncFolder.Stamp?
      /// Removed once it is in its place.
      var source: Removal?
    }

    var writes: [Write] = []
    var removals: [Removal] = []
  }

  /// The first line of the file.
  struct Head: Codable {
    var program: String
    var folder: String
    @Inlined var state: SyncState
  }

  /// Each entry has a line of its own.
  private enum CodingKeys: CodingKey {
    case calendar, mark, sequence, steps, group, isReadOnly, others, arrivedAt, since
  }

  /// How eggd knows the folder.
  var calendar = AlarmID().description
  /// What eggd stored together with the last changes of the list.
  var mark: String?
  /// That of the list.
  var sequence: Int64?
  var steps: Steps?
  /// As in ``SyncScope``.
  var group: String?
  var isReadOnly: Bool?
  /// What other folders were for.
  var others: [String]?
  /// When the folder last had changes of others, or was first synchronised.
  var arrivedAt: Instant?
  /// The same of the changes before those. What arrives past a moment after this one has missed it.
  var since: Instant?
  var entries: [Entry] = []

  /// Whether any of its files has an alarm.
  var isInUse: Bool { entries.contains { $0.id != nil } }

  /// Files that arrive one after the other are one arrival.
  private static let arrival = TimeSpan.seconds(300)

  /// The folder is about to be synchronised.
  mutating func note(_ files: [String: SyncFolder.Stamp], at now: Instant) {
    guard let last = arrivedAt else {
      (arrivedAt, since) = (now, now)
      return
    }
    let known = Dictionary(
      entries.map { ($0.file, $0.stamp) }, uniquingKeysWith: { first, _ in first })
    let isChanged = files.contains { file, stamp in
      known[file].map { $0 != nil && $0 != stamp } ?? true
    }
    guard isChanged else { return }
    if now - last > Self.arrival { since = last }
    arrivedAt = now
  }

  /// Without a past, but for the same alarms.
  var forgotten: SyncState {
    var state = SyncState()
    (state.group, state.isReadOnly) = (group, isReadOnly)
    return state
  }
}

/// The file in which the state is kept, in a folder that only its user can write: it says what happens to files. It is
/// written beside its place before anything else is: once eggd has stored
/// its mark, the change was made, and the rest is made up for after a kill.
struct SyncStateFile {
  let path: String
  let folder: String
  /// The machine whose list it is; empty for this one.
  let host: String

  init(folder: String, in surroundings: Surroundings) throws {
    let host = surroundings.host?.name.text ?? ""
    guard let home = surroundings.directories.state else {
      throw Failure(.usage, tr("HOME is not set"))
    }
    let place = home + "/eggctl/sync"
    try SyncFolder(path: place).create()
    if let reason = FileSystem.exposure(of: place) {
      throw Failure(.refused, tr("\(place.visible) cannot be used: \(reason)"))
    }
    self.init(path: "\(place)/\(Self.name(of: folder, on: host))", folder: folder, host: host)
  }

  var next: SyncStateFile { SyncStateFile(path: path + ".next", folder: folder, host: host) }

  init(path: String, folder: String, host: String) {
    (self.path, self.folder, self.host) = (path, folder, host)
  }

  static func name(of folder: String, on host: String) -> String { Digest.of(host + "\0" + folder) }

  /// The most bytes of a first line.
  private static let longestHead = 1 << 16

  /// The first line of another folder's state.
  func head(_ name: String, in place: Substring) -> SyncState.Head? {
    let bytes = try? SafeFile.readOwn(place + name, upTo: Self.longestHead)
    return bytes?.split(separator: UInt8(ascii: "\n"), maxSplits: 1).first
      .flatMap { try? JSON.value(Array($0), as: SyncState.Head.self) }
  }

  /// nil if there is none, or none that can be read.
  func read() throws -> SyncState? {
    guard let bytes = try contents() else { return nil }
    var lines = bytes.split(separator: UInt8(ascii: "\n"))[...]
    guard let first = lines.popFirst(), let head = try? JSON.value(Array(first), as: SyncState.Head.self),
      head.folder == folder
    else { return nil }
    var state = head.state
    for line in lines {
      guard var entry = try? JSON.value(Array(line), as: SyncState.Entry.self) else { return nil }
      // Another version may read what this one could not.
      if head.program != Product.version { entry.stamp = nil }
      state.entries.append(entry)
    }
    return state
  }

  /// More than a million alarms take.
  private static let longest = 1 << 31

  private func contents() throws -> [UInt8]? {
    do throws(SafeFile.Failure) {
      return try SafeFile.readOwn(path, upTo: Self.longest)
    } catch {
      if error == .failed(ENOENT) { return nil }
      throw Failure(.refused, tr("\(path.visible) cannot be used: \(Gettext.reason(error.code))"))
    }
  }

  func write(_ state: SyncState) throws {
    let head = SyncState.Head(program: Product.version, folder: folder, state: state)
    var text = try JSON.text(head) + "\n"
    for entry in state.entries { text += try JSON.text(entry) + "\n" }
    // A kill may have left one.
    unlink(path + ".tmp")
    do throws(SafeFile.Failure) {
      try SafeFile.write(Array(text.utf8), to: path + ".tmp")
    } catch {
      throw failure(error.code)
    }
    guard rename(path + ".tmp", path) == 0 else { throw failure(errno) }
    if let end = path.lastIndex(of: "/") { FileSystem.sync(String(path[..<end])) }
  }

  func remove() { unlink(path) }

  private func failure(_ code: Int32) -> Failure {
    Failure(.refused, tr("\(path.visible) cannot be written: \(Gettext.reason(code))"))
  }
}

/// Of texts and bytes, in 128 bits.
enum Digest {
  static func of(_ text: String) -> String { of(Array(text.utf8)) }

  static func of(_ bytes: [UInt8]) -> String {
    hexadecimal(FNV1a.hash128(bytes))
  }

  private static func hexadecimal(_ value: UInt128) -> String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 32 - digits.count) + digits
  }

  /// A UID that is a UUID; else a UUID of version 8 (RFC 9562 §5.8): an entry that others made has the same identity on
  /// every machine.
  static func identity(of uid: String) -> AlarmID? {
    if let id = AlarmID(uid) { return id }
    let value = FNV1a.hash128(Array("uid \(uid)".utf8)) & ~(0xF << 76) | 0x8 << 76
    let digits = Array(hexadecimal(value & ~(0x3 << 62) | 0x2 << 62))
    let groups = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(digits[$0]) }
    return AlarmID(groups.joined(separator: "-"))
  }
}
