import EggTestSupport
import Testing

@Suite("eggd under systemd --user, in a booted box", .enabled(if: isRoot, "boots a systemd: needs root"))
struct UserServiceTests {
  @Test("enable --now is all there is to it; rings reach the journal; it comes back from kill -9 and stop")
  func service() throws { try Scenario.runInBox(["user-service.sh"]) }

  @Test("a WatchdogSec= that was set is served")
  func watchdog() throws { try Scenario.runInBox(["watchdog.sh"]) }

  @Test("each directive of the sandbox refuses what it forbids, and eggd rings within it")
  func sandbox() throws {
    try Scenario.runInBox(["sandbox.sh"], setup: [Product.scenario("sandbox-probes.sh")])
  }

  @Test(
    "where user namespaces are forbidden, or the sandbox names a path that is missing, eggd runs without it by itself",
    arguments: [
      ("/etc/systemd/system/user@.service.d", "RestrictNamespaces=yes", "217"),
      ("/etc/systemd/user/eggd.service.d", "ReadWritePaths=/nonexistent", "226"),
    ])
  func withoutSandbox(folder: String, setting: String, status: String) throws {
    let forbid = """
      mkdir -p \(folder) && printf '[Service]\\n\(setting)\\n' >\(folder)/forbid.conf && systemctl daemon-reload
      """
    try Scenario.runInBox(["without-sandbox.sh", status], setup: [forbid])
  }

  @Test("where the sandbox keeps eggd from its state directory, eggd runs without it and says what to do")
  func otherState() throws { try Scenario.runInBox(["other-state.sh"]) }

  @Test(
    "eggd-wake arms the kernel's timer: started by root's unit, or by a user's manager that may",
    arguments: ["system", "user"])
  func wake(manager: String) throws {
    let folder = "/etc/systemd/system/user@.service.d"
    let allow = """
      mkdir -p \(folder) && printf '[Service]\\nAmbientCapabilities=CAP_WAKE_ALARM\\n' >\(folder)/wake.conf
      systemctl daemon-reload
      """
    try Scenario.runInBox(["wake.sh", manager], setup: manager == "user" ? [allow] : [], options: ["--root"])
  }

  @Test("the command that doctor prints mends what it names")
  func doctor() throws {
    try Scenario.runInBox(["doctor.sh"], setup: [Product.scenario("doctor-setup.sh")])
  }

  @Test("config.toml is read and reloaded, and a mistake in it changes nothing but is told")
  func configuration() throws { try Scenario.runInBox(["configuration.sh"]) }

  @Test("commands run when alarms ring, as units of their own, and only those that a person gave")
  func hooks() throws { try Scenario.runInBox(["hooks.sh"]) }

  @Test("what is written on an alarm stays text: no field is forged, nothing is run")
  func words() throws { try Scenario.runInBox(["words.sh"]) }

  @Test("another user can neither connect nor put anything of theirs in eggd's place, whatever the umask")
  func intruder() throws {
    try Scenario.runInBox(["intruder.sh"], setup: ["useradd -m mallory"], options: ["--root"])
  }

  @Test("after a reboot every alarm is there, and what came due meanwhile rings late")
  func reboot() throws {
    let machine = try TemporaryDirectory()
    for moment in ["before", "after"] {
      try Scenario.runInBox(
        ["reboot.sh", moment], options: ["--state", machine.path], installed: false)
    }
  }

  @Test("the commands of README, docs and manuals do what they say")
  func documents() throws { try Scenario.runInBox(["documents.py"]) }

  @Test("make install and make uninstall do what they say")
  func install() throws {
    try Scenario.runInBox(["install.sh"], installed: false)
  }

  @Test("what install.sh has root do runs nothing of the user who installed")
  func installOfTwo() throws {
    try Scenario.runInBox(
      ["install-two.sh"], setup: ["useradd -m mallory"], options: ["--root"], installed: false)
  }
}
