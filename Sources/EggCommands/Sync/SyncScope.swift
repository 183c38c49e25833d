import Alarms
import EggProtocol
import LinuxIO

/// Which alarms a folder has, and which way changes go.
struct SyncScope: Equatable {
  /// Its only group; nil for all alarms but those of other folders.
  var group: String?
  /// Nothing goes to the folder.
  var isReadOnly = false
  var others = OtherFolders()

  func has(_ alarm: WireAlarm) -> Bool {
    if let id = alarm.id, others.alarms.contains(id) { return false }
    if let group { return alarm.group == group }
    return alarm.group.map { others.groups[$0] == nil } ?? true
  }

  /// The group of an entry that names this one: no entry passes to another folder.
  func group(of name: String?) -> String? {
    group ?? name.flatMap { others.groups[$0] == nil ? $0 : nil }
  }
}

/// What the other folders of the same list have.
struct OtherFolders: Equatable {
  /// Groups with a folder of their own, each with that folder.
  var groups: [String: String] = [:]
  /// Alarms that came from folders to which nothing goes.
  var alarms: Set<AlarmID> = []
  /// Changes with what they are for.
  var names: [String] = []
}

/// An alarm's file in another folder.
struct OtherFile {
  var folder: SyncFolder
  /// As that folder knows it.
  var entry: SyncState.Entry
  /// Whether that folder's group was renamed or deleted: it stays as it is until its user says what it is for.
  var isKept: Bool
}

extension SyncStateFile {
  /// The states of all other folders of the list, each with its first line.
  func siblings() -> [(file: SyncStateFile, head: SyncState)] {
    guard let end = path.lastIndex(of: "/") else { return [] }
    let place = path[...end]
    let names = (FileSystem.names(in: String(place)) ?? []).sorted().filter { !$0.contains(".") }
    return names.compactMap { name in
      guard place + name != path, let head = head(name, in: place),
        Self.name(of: head.folder, on: host) == name
      else { return nil }
      return (SyncStateFile(path: place + name, folder: head.folder, host: host), head.state)
    }
  }

  /// What other folders have, as their last synchronising left it.
  func others() -> OtherFolders {
    var others = OtherFolders()
    for (file, head) in siblings() {
      if let group = head.group { others.groups[group] = file.folder }
      if head.isReadOnly == true {
        others.alarms.formUnion((try? file.read())?.entries.compactMap(\.id) ?? [])
      }
      others.names.append(head.group ?? "/" + file.folder)
    }
    return others
  }

  /// The files of alarms that other folders have, or had before their group changed.
  ///
  /// - Parameters:
  ///   - group: Of this folder; two folders without a group have the same alarms.
  ///   - exists: Whether there is such a group.
  func files(beside group: String?, exists: (String) throws -> Bool) throws -> [AlarmID: OtherFile] {
    var files: [AlarmID: OtherFile] = [:]
    for (file, head) in siblings() where head.isReadOnly != true && (group ?? head.group) != nil {
      let isKept = try head.group.map { try !exists($0) } ?? false
      for entry in try file.read()?.entries ?? [] {
        guard let id = entry.id else { continue }
        files[id] = OtherFile(folder: SyncFolder(path: file.folder), entry: entry, isKept: isKept)
      }
    }
    return files
  }
}
