import Glibc
import Testing

@Suite("Zones and clocks that change under the real eggd")
struct ClockTests {
  @Test(
    "the machine's zone and a zone's data change, while eggd runs and while it is down: alarms follow",
    .enabled(if: isRoot, "mounts an /etc of its own: needs root"))
  func zones() throws { try Scenario.run("zones.sh") }

  @Test(
    "under systemd --user, in its sandbox, eggd notices a change of the zone, and the journal tells of it",
    .enabled(if: isRoot, "boots a systemd: needs root"))
  func service() throws {
    let zoneKeeper = """
      mkfifo -m 666 /run/zone && systemd-run -q --unit=zone-keeper bash -c \
      'while read -r zone <> /run/zone; do ln -sfn "/usr/share/zoneinfo/$zone" /etc/localtime; done'
      """
    try Scenario.runInBox(["zone-service.sh"], setup: [zoneKeeper])
  }

  @Test(
    "the wall clock is set and put back: alarms follow it, countdowns do not, none rings twice",
    .enabled(
      if: isAskedToSetClock && maySetClock,
      "sets the machine's clock for a moment: needs make test-clock and CAP_SYS_TIME"))
  func clockStep() throws { try Scenario.run("clock-step.sh") }
}

/// Other programs of the machine see the clock that is set: `make test` leaves it alone.
private let isAskedToSetClock = getenv("EGGD_TEST_CLOCK") != nil

/// CAP_SYS_TIME, capabilities(7).
private let maySetClock: Bool = {
  guard let file = fopen("/proc/self/status", "r") else { return false }
  defer { fclose(file) }
  var line = [CChar](repeating: 0, count: 256)
  while fgets(&line, Int32(line.count), file) != nil {
    let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    guard text.hasPrefix("CapEff:") else { continue }
    let digits = text.dropFirst(7).filter(\.isHexDigit)
    return UInt64(digits, radix: 16).map { $0 >> 25 & 1 == 1 } ?? false
  }
  return false
}()
