import ArgumentParser
import Gettext
import Glibc
import LinuxIO

/// `eggctl sync`: keeps the list and a folder of .ics files equal.
struct Sync: Verb {
  static let configuration = CommandConfiguration(
    commandName: "sync", _superCommandName: Eggctl.name,
    abstract: tr("Keep the list and a folder of calendar files equal, both ways."),
    discussion: """
      eggctl sync
      eggctl sync ~/.calendars/alarms
      eggctl sync ~/.calendars/work --group work
      eggctl sync ~/.calendars/holidays --read-only
      eggctl sync --watch
      systemctl --user enable --now eggd-sync.service

      The folder has one .ics file for each alarm, as vdirsyncer and khal use them;
      vdirsyncer carries it to a calendar server and so to other machines and
      phones. What was added, changed or deleted on one side since the last time is
      carried over. If both sides changed the same field, the later change stays; a
      change beats a deletion. A file that is no alarm stays as it is. A cancelled
      entry of the year 2000 keeps the folder from being empty.

      A folder with --group has the alarms of that group and no others; a folder
      without it has those of all groups that have no folder. From a folder with
      --read-only alarms come, and nothing goes to it or to other folders. A folder
      keeps both until --remove.

      A ring that was dismissed or snoozed on another machine or a phone is so here.
      Pause, sounds and commands stay on this machine. Without a folder,
      ~/.local/share/eggd/calendars/alarms is used.
      """)

  @Argument(help: ArgumentHelp("The folder.", valueName: "folder"), completion: .directory)
  var folder: String?
  @Flag(help: "Go on: follow the folder and the list.") var watch = false
  @Flag(help: "Let an empty or missing folder delete the alarms that were in it.") var acceptEmpty = false
  @Option(
    help: ArgumentHelp("Keep the alarms of this group in the folder, and no others.", valueName: "name"),
    completion: .values(.groups))
  var group: String?
  @Flag(help: "Take the folder's alarms and change nothing in it.") var readOnly = false
  @Flag(help: "Forget the folder; its files and the alarms stay.") var remove = false
  @Flag(name: .long, help: "Print the answer as one JSON document.") var json = false

  func run(in surroundings: Surroundings) throws {
    let path = try path(in: surroundings)
    if let group, group.isEmpty { throw Failure(.usage, tr("a group needs a name")) }
    if remove {
      guard !watch, !acceptEmpty, group == nil, !readOnly, !json else {
        throw Failure(.usage, tr("--remove has no other options"))
      }
      return try Synchroniser.forget(path, in: surroundings)
    }
    let scope = SyncScope(group: group, isReadOnly: readOnly)
    let synchroniser = try Synchroniser(folder: path, scope: scope, in: surroundings)
    if watch {
      return try SyncWatching(synchroniser, surroundings, json: json).run(acceptsEmpty: acceptEmpty)
    }
    try SyncText(surroundings.output, json: json).print(try synchroniser.run(acceptsEmpty: acceptEmpty))
  }

  private func path(in surroundings: Surroundings) throws -> String {
    if let folder {
      guard !folder.isEmpty else { throw Failure(.usage, tr("the folder has no name")) }
      if folder.hasPrefix("/") { return Self.plain(folder) }
      guard let directory = getcwd(nil, 0) else {
        throw Failure(.usage, tr("the current directory is gone"))
      }
      defer { free(directory) }
      return Self.plain(String(cString: directory) + "/" + folder)
    }
    guard let data = surroundings.directories.data else {
      throw Failure(.usage, tr("HOME is not set"), hint: "eggctl sync FOLDER")
    }
    return Self.plain(data + "/eggd/calendars/alarms")
  }

  /// Without symbolic links, `.` and `//`: one folder has one name, also before it is created.
  private static func plain(_ path: String) -> String {
    var known = path.split(separator: "/").filter { $0 != "." }
    var missing: [Substring] = []
    while true {
      if let real = FileSystem.realPath("/" + known.joined(separator: "/")) {
        return ([real] + missing.map(String.init)).joined(separator: "/")
      }
      guard let last = known.popLast() else { return path }
      missing.insert(last, at: 0)
    }
  }
}
