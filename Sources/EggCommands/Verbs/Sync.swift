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
      eggctl sync --watch
      systemctl --user enable --now eggd-sync.service

      The folder has one .ics file for each alarm, as vdirsyncer and khal use them;
      vdirsyncer carries it to a calendar server and so to other machines and
      phones. What was added, changed or deleted on one side since the last time is
      carried over. If both sides changed the same field, the later change stays; a
      change beats a deletion. A file that is no alarm stays as it is.

      Snooze, pause, sounds and commands stay on this machine. Without a folder,
      ~/.local/share/eggd/calendars/alarms is used.
      """)

  @Argument(help: ArgumentHelp("The folder.", valueName: "folder"), completion: .directory)
  var folder: String?
  @Flag(help: "Go on: follow the folder and the list.") var watch = false
  @Flag(help: "Let an empty or missing folder delete the alarms that were in it.") var acceptEmpty = false
  @Flag(name: .long, help: "Print the answer as one JSON document.") var json = false

  func run(in surroundings: Surroundings) throws {
    let synchroniser = try Synchroniser(folder: try path(in: surroundings), in: surroundings)
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
