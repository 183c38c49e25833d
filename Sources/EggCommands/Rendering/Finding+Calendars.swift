import LinuxIO

extension Finding {
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
}
