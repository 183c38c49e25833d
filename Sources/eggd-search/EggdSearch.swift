import DBus
import Gettext
import Glibc

/// `eggd-search`: eggd in the search boxes of GNOME and KDE. The session bus starts it for a question; it asks eggctl, and
/// ends when it is not asked for as many seconds as its argument says.
@main
struct EggdSearch {
  static func main() {
    Gettext.begin()
    signal(SIGPIPE, SIG_IGN)
    let idle = CommandLine.arguments.dropFirst().first.flatMap { UInt64($0) } ?? 30
    do throws(BusError) {
      let service = try BusService(name: "io.eggd.Search", path: "/io/eggd/Search")
      let desk = SearchDesk(service)
      let methods = desk.methodsOfShell.merging(desk.methodsOfRunner) { first, _ in first }
      try service.serve(methods, idle: min(idle, 3_600))
    } catch {
      // The session has ended.
      if [-ECONNRESET, -ENOTCONN].contains(error.code) { return }
      let line = Array("eggd-search: \(error)\n".utf8)
      _ = write(STDERR_FILENO, line, line.count)
      exit(1)
    }
  }
}
