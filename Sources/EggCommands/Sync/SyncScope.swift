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

extension SyncStateFile {
  /// The states of all other folders of the list, each with its first line.
  func siblings() -> [(file: SyncStateFile, head: SyncState)] {
    guard let end = path.lastIndex(of: "/") else { return [] }
    let place = path[...end]
    let names = (FileSystem.names(in: String(place)) ?? []).sorted().filter { !$0.contains(".") }
    return names.compactMap { name in
      guard place + name != path, let head = head(name, in: place), self.name(of: head.folder) == name else {
        return nil
      }
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
}
