import DBus
import Gettext
import LinuxIO

/// Answers the two desktops' questions with what `eggctl search-box` says, and has it do what a person chose.
struct SearchDesk {
  private struct Result {
    let id: String
    let name: String
    /// What Enter does.
    let detail: String
  }

  private static let shell = "org.gnome.Shell.SearchProvider2."
  private static let runner = "org.kde.krunner1."
  /// Other texts are not for eggd, and start no process.
  private static let names: Set<String> = ["egg", "eggs", "계란", "달걀"]
  /// Of a text or an id, in bytes. A label has at most 512, a time 200.
  private static let longest = 1_000
  /// More words than the longest text that is read.
  private static let mostWords = 500
  /// GNOME asks for those that it was given.
  private static let mostIDs = 5
  /// KRunner's `ExactMatch`.
  private static let exact: Int32 = 100

  private let service: BusService

  init(_ service: BusService) { self.service = service }

  /// GNOME asks for ids, then for what is shown of some of them.
  /// https://developer.gnome.org/documentation/tutorials/search-provider.html
  var methodsOfShell: [String: BusService.Method] {
    [
      Self.shell + "GetInitialResultSet": BusService.Method("as") { call, reply throws(BusError) in
        try reply.append(ids(for: call.readStrings(atMost: Self.mostWords)))
      },
      Self.shell + "GetSubsearchResultSet": BusService.Method("asas") { call, reply throws(BusError) in
        _ = try call.readStrings(atMost: Self.mostWords)
        try reply.append(ids(for: call.readStrings(atMost: Self.mostWords)))
      },
      Self.shell + "GetResultMetas": BusService.Method("as") { call, reply throws(BusError) in
        let ids = try call.readStrings(atMost: Self.mostIDs)
        try reply.container("a", "a{sv}") { () throws(BusError) in
          for result in results(["show"] + ids) {
            try reply.append([
              "id": result.id, "name": result.name, "description": result.detail, "gicon": "eggd",
            ])
          }
        }
      },
      Self.shell + "ActivateResult": BusService.Method("sasu") { call, _ throws(BusError) in
        try perform(call.readString())
      },
      Self.shell + "LaunchSearch": BusService.Method("asu") { _, _ throws(BusError) in showList() },
    ]
  }

  /// KRunner takes results at once; `D-Bus Runners` of KDE's developer documentation.
  var methodsOfRunner: [String: BusService.Method] {
    [
      Self.runner + "Actions": BusService.Method("") { _, reply throws(BusError) in
        try reply.container("a", "(sss)") { () throws(BusError) in }
      },
      Self.runner + "Match": BusService.Method("s") { call, reply throws(BusError) in
        let results = found(try call.readString())
        try reply.container("a", "(sssida{sv})") { () throws(BusError) in
          for (place, result) in results.enumerated() {
            try reply.container("r", "sssida{sv}") { () throws(BusError) in
              for text in [result.id, result.name, "eggd"] { try reply.append(text) }
              try reply.append(Self.exact)
              try reply.append(1 - Double(place) / 10)
              try reply.append(["subtext": result.detail])
            }
          }
        }
      },
      Self.runner + "Run": BusService.Method("ss") { call, _ throws(BusError) in
        try perform(call.readString())
      },
    ]
  }

  private func ids(for words: [String]) -> [String] { found(words.joined(separator: " ")).map(\.id) }

  private func found(_ text: String) -> [Result] {
    let text = text.drop(while: \.isWhitespace)
    let name = text.prefix { !$0.isWhitespace }
    guard Self.names.contains(name.lowercased()) else { return [] }
    return results(["find", String(text[name.endIndex...])])
  }

  private func results(_ question: [String]) -> [Result] {
    let parts = answer(question, within: .seconds(5)) ?? []
    return stride(from: 2, to: parts.count, by: 3).map {
      Result(id: parts[$0 - 2], name: parts[$0 - 1], detail: parts[$0])
    }
  }

  /// What eggctl says, in parts; nil if it does not answer in that time. Other questions wait meanwhile.
  private func answer(_ question: [String], within limit: Duration) -> [String]? {
    guard question.allSatisfy({ $0.utf8.count <= Self.longest }),
      let eggctl = FileSystem.program(named: "eggctl", orIn: "bin")
    else { return [] }
    let text = ProgramOutput.read(
      [eggctl, "search-box"] + question, environment: ChildProcess.ownEnvironment, within: limit)
    return text?.split(separator: "\0", omittingEmptySubsequences: false).dropLast().map(String.init)
  }

  /// Does it; the person sees on the desktop if that failed, as the search box is closed.
  private func perform(_ id: String) throws(BusError) {
    if id == "list" { return showList() }
    // Longer than eggctl waits for eggd.
    let answer = answer(["enter", id], within: .seconds(15))
    let reason = answer.map { $0.first ?? tr("nothing was changed") } ?? Self.unanswered
    guard !reason.isEmpty else { return }
    let (name, title) = ("org.freedesktop.Notifications", tr("Egg Timer"))
    let address = BusConnection.Address(name, path: "/org/freedesktop/Notifications", interface: name)
    try service.send(address, "Notify") { message throws(BusError) in
      try message.append(title)
      try message.append(UInt32(0))
      for text in ["eggd", title, reason] { try message.append(text) }
      try message.append([String]())
      try message.append([String: String]())
      try message.append(Int32(-1))
    }
  }

  private static var unanswered: String {
    tr("eggctl did not answer in time: the change may still happen") + "\n"
      + tr("eggctl undo --preview shows the last change")
  }

  /// Opens the launcher's entry, in a terminal that the desktop chooses. Where there is a service manager it has a scope of
  /// its own: dbus-broker(1) starts this program as a unit, and what is left in that is killed at its end.
  private func showList() {
    let prefix = (FileSystem.program ?? "").split(separator: "/").dropLast(2).map { "/" + $0 }.joined()
    let open =
      #"for by in "gio launch" "kioclient5 exec" "kioclient exec"; do $by "$0" && break; done; true"#
    let scoped = #"(systemd-run --user --scope --quiet sh -c "$1" "$0" || sh -c "$1" "$0") &"#
    var shell = ChildProcess(
      ["sh", "-c", scoped, prefix + "/share/applications/eggd.desktop", open],
      environment: ChildProcess.ownEnvironment)
    shell.startsAsInShell = true
    if let process = shell.start() { _ = ChildProcess.reap(process) }
  }
}
