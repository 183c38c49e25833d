import Alarms
import EggProtocol
import EggTime
import Gettext
import Glibc
import LinuxIO

/// Disk, desktop, sound and calendars: what eggd needs of the machine.
extension Finding {
  static func database(_ reply: StatusReply) -> Finding {
    let path = reply.database.visible
    let isFull = hasNoRoom(reply.database)
    return switch reply.disk {
    case .writable: Finding("database", .ok, "\(path) is writable")
    case .failing where isFull, .readOnly where isFull, .unavailable where isFull:
      Finding(
        "database", .wrong,
        "the disk of \(path) is full; alarms ring, changes are refused: delete something, then make a change")
    case .failing:
      Finding(
        "database", .wrong, "\(path) could not store the last change; alarms ring",
        command: "journalctl --user -t eggd -p warning -n 20")
    case .readOnly:
      Finding(
        "database", .wrong, "\(path) is read-only; alarms ring, changes are refused",
        command: closed(reply.database).map { "chmod u+w \($0.shellQuoted)" } ?? "df -h ~")
    case .unavailable:
      Finding(
        "database", .wrong, "\(path) is not available; alarms in memory ring, changes are refused",
        command: "journalctl --user -t eggd -p warning -n 20")
    case .other: Finding("database", .advice, "\(path) is in a state unknown to this eggctl")
    }
  }

  /// The database or its folder, if its owner may not write it.
  private static func closed(_ path: String) -> String? {
    let folder = path.lastIndex(of: "/").map { String(path[..<$0]) }
    return [folder, path].compactMap(\.self).first {
      FileSystem.status($0).map { $0.st_mode & S_IWUSR == 0 } ?? false
    }
  }

  /// A commit of one alarm takes a few pages.
  private static func hasNoRoom(_ path: String) -> Bool {
    var disk = statvfs()
    let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? path
    guard statvfs(folder, &disk) == 0 else { return false }
    return UInt64(disk.f_bavail) * UInt64(disk.f_frsize) < 1 << 16
  }

  static func desktop(_ reply: StatusReply, _ surroundings: Surroundings) -> Finding {
    switch reply.desktop {
    case .shown:
      return reply.server.map { Finding("desktop", .ok, "\($0.visible) shows notifications") }
        ?? Finding("desktop", .ok, "an unnamed server shows notifications")
    case .noServer:
      return Finding(
        "desktop", .advice, "no notification server: start one, such as dunst; rings are shown then")
    case .noBus:
      let isThere = unit("dbus.socket", is: "LoadState=loaded", surroundings)
      return Finding(
        "desktop", .advice, "no session bus; rings are shown when there is one",
        command: isThere ? "systemctl --user start dbus.socket" : "sudo apt install dbus-user-session")
    case .other: return Finding("desktop", .advice, "notifications are in a state unknown to this eggctl")
    }
  }

  /// nil from an eggd that does not report it.
  static func sound(_ reply: StatusReply, _ surroundings: Surroundings) -> Finding? {
    // With neither, nobody at the machine notices a ring.
    let verdict = reply.desktop == .shown ? Verdict.advice : .wrong
    switch reply.sound {
    case .server?: return Finding("sound", .ok, "the notification server plays the sound of a ring")
    case .player?:
      return muted(verdict, surroundings)
        ?? Finding("sound", .ok, "eggd plays the sound of a ring with libcanberra")
    case .nobody?:
      return unheard(because: reply.silence ?? translatable("reason unknown"), verdict, surroundings)
    case .other?: return Finding("sound", .advice, "sound is in a state unknown to this eggctl")
    case nil: return nil
    }
  }

  private static func unheard(
    because reason: String, _ verdict: Verdict, _ surroundings: Surroundings
  ) -> Finding {
    let servers = ["pipewire-pulse.service", "pulseaudio.service"]
    let command: String? =
      if reason.contains("libcanberra") {
        "sudo apt install libcanberra0 libcanberra-pulse sound-theme-freedesktop"
      } else if reason.contains("sound server") {
        servers.first { unit($0, is: "LoadState=loaded", surroundings) }.map {
          "systemctl --user restart \($0)"
        }
          ?? "sudo apt install libcanberra-pulse pipewire-pulse"
      } else {
        nil
      }
    return Finding(
      "sound", verdict, "rings are not heard: \(reason.visible)",
      shown: "rings are not heard: \(tr(received: reason).visible)", command: command)
  }

  /// nil where the sound server's output is on, or that is not known.
  private static func muted(_ verdict: Verdict, _ surroundings: Surroundings) -> Finding? {
    func says(_ property: String) -> String {
      surroundings.answer(["pactl", "get-sink-\(property)", "@DEFAULT_SINK@"]) ?? ""
    }
    if says("mute").contains("yes") {
      return Finding(
        "sound", verdict, "rings are not heard: the sound output is muted",
        command: "pactl set-sink-mute @DEFAULT_SINK@ 0")
    }
    let volumes = says("volume").split(separator: " ").filter { $0.hasSuffix("%") }
    guard !volumes.isEmpty, volumes.allSatisfy({ $0 == "0%" }) else { return nil }
    return Finding(
      "sound", verdict, "rings are not heard: the volume of the sound output is 0",
      command: "pactl set-sink-volume @DEFAULT_SINK@ 50%")
  }

  /// nil where the usual sound is there.
  static func theme(_ settings: ConfigReply, _ directories: BaseDirectories) -> Finding? {
    let path = settings.value(of: "sound") ?? AlarmSound.usual.text
    switch AlarmSound(path) {
    case .named(let name) where !SoundFile.hasTheme(directories):
      return Finding(
        "sound", .advice, "the sound '\(name.visible)' is not heard: no sound theme is installed",
        command: "sudo apt install sound-theme-freedesktop")
    case .named(let name) where !SoundFile.isNamed(name, directories):
      return Finding(
        "sound", .advice,
        "the sound theme has no '\(name.visible)'; alarm-clock-elapsed is heard: set another")
    case .file where !SoundFile.canBePlayed(path):
      return Finding(
        "sound", .advice, "'\(path.visible)' cannot be played; alarm-clock-elapsed is heard: set another")
    default: return nil
    }
  }

  /// nil where eggd.service has its sandbox, or none on purpose: eggd-plain.service is active after it took that away.
  static func sandbox(_ surroundings: Surroundings) -> Finding? {
    guard unit("eggd-plain.service", is: "ActiveState=active", surroundings) else { return nil }
    // Each login needs some; without a limit of its own the kernel allows tens of thousands. The last one is Ubuntu's.
    let known = [
      (name: "user.max_user_namespaces", forbids: "0", allows: "15000"),
      (name: "kernel.unprivileged_userns_clone", forbids: "0", allows: "1"),
      (name: "kernel.apparmor_restrict_unprivileged_userns", forbids: "1", allows: "0"),
    ]
    let settings = known.filter { setting in
      let file = "/proc/sys/" + setting.name.replacing(".", with: "/")
      return surroundings.answer(["cat", file]) == setting.forbids + "\n"
    }.map { "\($0.name)=\($0.allows)" }
    guard !settings.isEmpty else {
      return Finding(
        "sandbox", .advice, "eggd runs without its sandbox, which cannot be set up here",
        command: "journalctl --user -t eggd -p warning -n 20")
    }
    return Finding(
      "sandbox", .advice, "eggd runs without its sandbox, because this machine forbids user namespaces",
      command: "sudo sysctl \(settings.joined(separator: " ")) && systemctl --user stop eggd-plain"
        + " && systemctl --user daemon-reload && systemctl --user restart eggd")
  }

  /// Calendars that vdirsyncer does not carry, with its last words.
  static func calendars(in surroundings: Surroundings) -> [Finding] {
    guard let settings = surroundings.directories.configuration else { return [] }
    let names = (FileSystem.names(in: CalendarServer.place(in: settings)) ?? []).filter {
      !$0.hasPrefix(".") && !$0.hasSuffix(".next")
    }
    var units = names.sorted().map { "eggd-vdirsyncer@\($0).service" }
    if FileSystem.isFile(settings + "/vdirsyncer/config") { units.append("vdirsyncer.service") }
    return units.compactMap { unit in
      let isFailed = try? surroundings.result(of: ["systemctl", "--user", "is-failed", "--quiet", unit])
      guard isFailed?.code == 0 else { return nil }
      let journal = ["journalctl", "--user", "-u", unit, "-o", "cat", "-n", "30", "--no-pager"]
      let said = (try? surroundings.result(of: journal))?.output ?? []
      let last = said.last { $0.hasPrefix("error: ") || $0.hasPrefix("critical: ") }
      return Finding(
        "calendar", .wrong, "vdirsyncer failed: \((last ?? said.last ?? unit).visible)",
        command: "journalctl --user -u \(unit.shellQuoted) -n 20")
    }
  }

  /// Whether the user's service manager says that of the unit: `LoadState=loaded`.
  private static func unit(_ unit: String, is state: String, _ surroundings: Surroundings) -> Bool {
    let property = state.prefix { $0 != "=" }
    return surroundings.answer(["systemctl", "--user", "show", "-p", "\(property)", unit]) == state + "\n"
  }
}
