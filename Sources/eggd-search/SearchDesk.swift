import DBus
import EggCommands
import FoundationEssentials
import Gettext
import Glibc
import LinuxIO

/// Answers the two desktops' questions from one ``SearchBox``, and does what a person chose.
struct SearchDesk {
  private static let shell = "org.gnome.Shell.SearchProvider2."
  private static let runner = "org.kde.krunner1."
  /// More words than the longest text that is read.
  private static let mostWords = 500
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
        let ids = try call.readStrings(atMost: SearchBox.most)
        try reply.container("a", "a{sv}") { () throws(BusError) in
          for result in ids.compactMap(SearchBox().result(of:)) {
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
        let results = SearchBox().results(for: try call.readString())
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

  private func ids(for words: [String]) -> [String] {
    SearchBox().results(for: words.joined(separator: " ")).map(\.id)
  }

  /// Does it; the person sees on the desktop if that failed, as the search box is closed.
  private func perform(_ id: String) throws(BusError) {
    switch SearchBox().perform(id) {
    case .done: break
    case .list: showList()
    case .failed(let reason):
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
  }

  /// Opens the launcher's entry, in a terminal that the desktop chooses.
  private func showList() {
    let prefix = (FileSystem.program ?? "").split(separator: "/").dropLast(2).map { "/" + $0 }.joined()
    let open = #"for by in "gio launch" "kioclient5 exec" "kioclient exec"; do $by "$0" && break; done &"#
    var shell = ChildProcess(
      ["sh", "-c", open, prefix + "/share/applications/eggd.desktop"],
      environment: ProcessInfo.processInfo.environment.map { "\($0.key)=\($0.value)" })
    shell.startsAsInShell = true
    if let process = shell.start() { _ = ChildProcess.reap(process) }
  }
}
