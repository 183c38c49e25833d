import ArgumentParser
import Gettext
import Glibc
import LinuxIO

struct Sync: Verb {
  static let configuration = CommandConfiguration(
    "sync", tr("Keep the list and a folder of calendar files equal, both ways."),
    discussion: """
      eggctl sync
      eggctl sync ~/.calendars/alarms
      eggctl sync ~/.calendars/work --group work
      eggctl sync ~/.calendars/holidays --read-only
      eggctl sync --setup https://dav.example.org/ me
      eggctl sync --watch
      systemctl --user enable --now eggd-sync.service

      The folder has one .ics file for each alarm, as vdirsyncer and khal use them;
      vdirsyncer carries it to a calendar server and so to other machines and
      phones. What was added, changed or deleted on one side since the last time is
      carried over. If both sides changed the same field, the later change stays; a
      change beats a deletion. A file that is no alarm stays as it is. A cancelled
      entry of the year 2000 keeps the folder from being empty.

      A folder with --group has only the alarms of that group; one without it has
      those of all groups that have no folder. A folder with --read-only gives alarms
      and is never written; its alarms go to no other folder. A folder keeps both
      options until --remove. Once its group is renamed or deleted, the folder waits
      for --group with the new name, or for --remove.

      --setup has vdirsyncer carry the folder to the calendar of that name on a
      CalDAV server, every five minutes and after changes here, and creates the
      calendar if there is none. The password comes from secret-tool or
      --password-command; eggctl keeps none. --setup again changes that, --remove
      ends it. If an entry was changed here and on the server, vdirsyncer calls
      --merge, which makes one of both.

      A ring that is dismissed or snoozed on one machine or phone is dismissed or
      snoozed on all. Pauses, a skipped ring, sounds and commands stay on this
      machine. Without a folder, ~/.local/share/eggd/calendars/alarms is used.
      """)

  @Argument(
    help: ArgumentHelp("The folder; with --setup the user, then the folder.", valueName: "folder"),
    completion: .directory)
  var words: [String] = []
  @Option(help: ArgumentHelp("Keep the folder equal to a calendar on this CalDAV server.", valueName: "url"))
  var setup: String?
  @Option(help: ArgumentHelp("With --setup: prints the password.", valueName: "command"))
  var passwordCommand: String?
  @Flag(help: "Go on: follow the folder and the list.") var watch = false
  @Flag(help: "Let an empty or missing folder delete the alarms that were in it.") var acceptEmpty = false
  @Option(
    help: ArgumentHelp("Keep the alarms of this group in the folder, and no others.", valueName: "name"),
    completion: .values(.groups))
  var group: String?
  @Flag(help: "Take the folder's alarms and change nothing in it.") var readOnly = false
  @Flag(help: "Forget the folder; its files and the alarms stay.") var remove = false
  @Flag(help: "Make two versions of an entry one: for vdirsyncer's conflict_resolution.") var merge = false
  @Flag(name: .long, help: "Print the answer as one JSON document.") var json = false

  func run(in surroundings: Surroundings) throws {
    if merge {
      guard words.count == 2, isPlain else {
        throw Failure(.usage, tr("--merge takes two files and no other options"))
      }
      return try SyncMerge(in: surroundings).run(words[0], words[1])
    }
    guard words.count <= (setup == nil ? 1 : 2), setup != nil || passwordCommand == nil else {
      throw Failure(.usage, tr("one folder at a time"), hint: "eggctl sync --help")
    }
    let path = try path(setup == nil ? words.first : words.dropFirst().first, in: surroundings)
    if let group, group.isEmpty { throw Failure(.usage, tr("a group needs a name")) }
    if remove {
      guard isPlain else {
        throw Failure(.usage, tr("--remove has no other options"))
      }
      try server(path, in: surroundings)?.remove(isDefault: path == defaultPath(in: surroundings))
      return try Synchroniser.forget(path, in: surroundings)
    }
    let scope = SyncScope(group: group, isReadOnly: readOnly)
    let synchroniser = try Synchroniser(folder: path, scope: scope, in: surroundings)
    if let setup {
      guard !watch, !json, surroundings.host == nil else {
        throw Failure(.usage, tr("--setup is for this machine, without --watch and --json"))
      }
      return try setUp(setup, path, synchroniser, in: surroundings)
    }
    if watch {
      return try SyncWatching(synchroniser: synchroniser, surroundings: surroundings, json: json)
        .run(acceptsEmpty: acceptEmpty)
    }
    try surroundings.output.print(synchroniser.run(acceptsEmpty: acceptEmpty), asJSON: json)
  }

  /// Whether it has no options but one that stands alone.
  private var isPlain: Bool {
    !watch && !acceptEmpty && group == nil && !readOnly && !json && setup == nil && !(merge && remove)
  }

  private func setUp(
    _ url: String, _ path: String, _ synchroniser: Synchroniser, in surroundings: Surroundings
  ) throws {
    let server = try CalendarServer(folder: path, in: surroundings)
    try server.configure(
      .init(url: url, user: words.first, passwordCommand: passwordCommand, isReadOnly: readOnly))
    _ = try synchroniser.run(acceptsEmpty: acceptEmpty)
    try server.start(isDefault: path == defaultPath(in: surroundings))
    try surroundings.output.data(
      tr("\(path.visible) and the calendar '\(server.calendar.visible)' on the server are kept equal") + "\n"
        + tr("on a phone, add a CalDAV account with the same address and user, and show that calendar") + "\n"
    )
  }

  /// That of a folder that was set up; nil for others.
  private func server(_ path: String, in surroundings: Surroundings) throws -> CalendarServer? {
    guard surroundings.host == nil else { return nil }
    let server = try CalendarServer(folder: path, in: surroundings)
    return server.isSetUp ? server : nil
  }

  private func defaultPath(in surroundings: Surroundings) -> String? {
    surroundings.directories.data.map { Self.plain($0 + "/eggd/calendars/alarms") }
  }

  private func path(_ folder: String?, in surroundings: Surroundings) throws -> String {
    if let folder {
      guard !folder.isEmpty else { throw Failure(.usage, tr("the folder has no name")) }
      if folder.hasPrefix("/") { return Self.plain(folder) }
      guard let directory = getcwd(nil, 0) else {
        throw Failure(.usage, tr("the current directory is gone"))
      }
      defer { free(directory) }
      return Self.plain(String(cString: directory) + "/" + folder)
    }
    guard let path = defaultPath(in: surroundings) else {
      throw Failure(.usage, tr("HOME is not set"), hint: "eggctl sync FOLDER")
    }
    return path
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
