import EggDaemon
import EggProtocol
import Foundation
import Gettext
import Glibc

@main
struct Eggd {
  static func main() {
    // Dispatch raises the priority of its manager's worker whatever is asked for, and where that takes a privilege
    // it says so in the syslog at each start. Only this silences it; what it crashes of it tells anyway.
    setenv("LIBDISPATCH_LOG", "NO", 0)
    ProcessSettings.apply()
    Gettext.begin()
    let environment = ProcessInfo.processInfo.environment
    do {
      switch try Configuration.read(
        arguments: Array(CommandLine.arguments.dropFirst()), environment: environment)
      {
      case .help: print(help)
      case .version: print("eggd \(Product.version)")
      case .run(let configuration):
        try Daemon(configuration, environment: environment).run()
      }
    } catch {
      StartFailure(error).end(environment: environment)
    }
  }

  private static let help = """
    eggd keeps alarms and rings them. eggctl talks to it.

    As a service of your systemd, which is how it is meant to run:
      systemctl --user enable --now eggd.service eggd.socket
    In the foreground, as in a container:
      eggd

    Options:
      --snooze SPAN  how long a snooze lasts, 1s to 7d (default 5min)
      --sound SOUND  what is heard for alarms without a sound of their own: a name of the
                     sound theme (default alarm-clock-elapsed), a file's path, none
                     Both win over ~/.config/eggd/config.toml, see eggd.toml(5).
      --version      print the version
      -h, --help     print this

    Alarms are kept in $XDG_STATE_HOME/eggd (default ~/.local/state/eggd), the socket is
    $XDG_RUNTIME_DIR/eggd/eggd.sock.
    """
}
