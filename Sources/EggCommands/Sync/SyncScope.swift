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
  /// The states of all other folders of the list, as their last synchronising left them.
  func siblings() -> [SyncState] {
    guard let end = path.lastIndex(of: "/") else { return [] }
    let place = path[...end]
    let names = (FileSystem.names(in: String(place)) ?? []).sorted().filter { !$0.contains(".") }
    return names.compactMap { name in
      guard place + name != path, let state = try? Self.state(at: place + name),
        Self.name(of: state.folder, on: host) == name
      else { return nil }
      return state
    }
  }

  /// What other folders have.
  func others() -> OtherFolders {
    var others = OtherFolders()
    for state in siblings() {
      if let group = state.group { others.groups[group] = state.folder }
      if state.isReadOnly == true { others.alarms.formUnion(state.entries.compactMap(\.id)) }
      others.names.append(state.group ?? "/" + state.folder)
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
    for state in siblings() where state.isReadOnly != true && (group ?? state.group) != nil {
      let isKept = try state.group.map { try !exists($0) } ?? false
      for entry in state.entries {
        guard let id = entry.id else { continue }
        files[id] = OtherFile(folder: SyncFolder(path: state.folder), entry: entry, isKept: isKept)
      }
    }
    return files
  }
}
