import EggTestSupport
import Glibc
import Testing

@testable import EggTime

/// Compares every zone of this machine with Python's zoneinfo, around each transition.
@Suite struct ZoneTransitionTests {
  /// Per zone: `=NAME`, then `SECONDS OFFSET ABBREVIATION` for the second before, at and after each change
  /// from 1970 to 2101. Changes are found by bisection between samples 10 days apart (25 from 2030 on); some
  /// samples are included.
  private static let program = """
    import zoneinfo, datetime, sys
    utc = datetime.timezone.utc
    epoch = datetime.datetime(1970, 1, 1, tzinfo=utc)
    def at(zone, s):
        d = (epoch + datetime.timedelta(seconds=s)).astimezone(zone)
        return (int(d.utcoffset().total_seconds()), d.tzname())
    def walk(zone, a, b, before, after):
        if before == after:
            return
        while b - a > 1:
            m = (a + b) // 2
            if at(zone, m) == before: a = m
            else: b = m
        for s in (b - 1, b, b + 1):
            o, n = at(zone, s)
            out.append(f"{s} {o} {n}")
    for name in sys.argv[1:]:
        zone = zoneinfo.ZoneInfo(name)
        out = ["=" + name]
        a, before = 0, at(zone, 0)
        while a < 131 * 31556952:
            b = a + (10 if a < 1893456000 else 25) * 86400
            after = at(zone, b)
            walk(zone, a, b, before, after)
            a, before = b, after
            if (a // 86400) % 200 == 0: out.append(f"{a} {before[0]} {before[1]}")
        print("\\n".join(out))
    """

  @Test("Every zone agrees with Python's zoneinfo around each change from 1970 to 2101")
  func agreesWithPython() throws {
    var read: Set<String> = []
    // Many names are links: each file content is checked once.
    let names = try Self.zoneNames().filter { name in
      read.insert(try ZoneDirectory.machine.zone(named: name).digest).inserted
    }
    #expect(names.count > 300)
    var zone = Zone.utc
    var zones = 0
    var lines = 0
    var wrong: [String] = []
    for line in try Self.output(of: ["python3", "-c", Self.program] + names).split(separator: "\n") {
      if line.hasPrefix("=") {
        zone = try ZoneDirectory.machine.zone(named: String(line.dropFirst()))
        zones += 1
        continue
      }
      let columns = line.split(separator: " ")
      let seconds = try #require(Int64(columns[0]))
      let instant = Instant(microseconds: seconds * 1_000_000)
      let offset = zone.offset(at: instant)
      if "\(offset)" != columns[1] || zone.abbreviation(at: instant) != columns[2] {
        wrong.append("\(zone.identifier) \(line): \(offset) \(zone.abbreviation(at: instant))")
      }
      // The civil time resolves to this moment, or to the other one that shows it.
      let civil = zone.civil(at: instant)
      switch zone.resolve(civil) {
      case .unique(let found) where found == instant: break
      case .fold(let first, let second) where first == instant || second == instant: break
      default: wrong.append("\(zone.identifier) \(line): \(civil) is not there")
      }
      lines += 1
    }
    #expect(zones == names.count)
    #expect(lines > 50_000)
    #expect(wrong.isEmpty, "\(wrong.count): \(wrong.prefix(10).joined(separator: "\n"))")
  }

  /// Such files end where later leap seconds are unknown.
  @Test("Until 2026 a file with leap seconds shows the same time as one without")
  func leapSeconds() throws {
    let plain = try ZoneDirectory.machine.zone(named: "Europe/Paris")
    let counting = try ZoneDirectory.machine.zone(named: "right/Europe/Paris")
    for second in stride(from: Int64(0), to: 1_770_000_000, by: 432_001) {
      let instant = Instant(microseconds: second * 1_000_000)
      #expect(plain.civil(at: instant) == counting.civil(at: instant))
    }
  }

  /// The zone and link names in tzdata.zi.
  private static func zoneNames() -> [String] {
    let folder = ZoneDirectory.machine.path
    guard let file = fopen("\(folder)/tzdata.zi", "r") else { return [] }
    defer { fclose(file) }
    var line: UnsafeMutablePointer<CChar>?
    var size = 0
    defer { free(line) }
    var names: Set<String> = []
    while getline(&line, &size, file) > 0, let line {
      let words = String(cString: line).split(whereSeparator: \.isWhitespace)
      switch words.first {
      case "Z" where words.count > 1: names.insert(String(words[1]))
      case "L" where words.count > 2: names.insert(String(words[2]))
      default: break
      }
    }
    return names.filter { access("\(folder)/\($0)", R_OK) == 0 }.sorted()
  }

  private static func output(of command: [String]) throws -> String {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
    posix_spawn_file_actions_addclose(&actions, ends[0])
    var arguments = command.map { strdup($0) }
    arguments.append(nil)
    defer { arguments.forEach { free($0) } }
    var child: pid_t = 0
    let spawned = posix_spawnp(&child, command[0], &actions, nil, arguments, environ)
    close(ends[1])
    try #require(spawned == 0, "\(command[0]) is needed for this test")
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(ends[0], &buffer, 1 << 16)
      guard count > 0 else { break }
      bytes += buffer[..<count]
    }
    close(ends[0])
    var status: Int32 = 0
    waitpid(child, &status, 0)
    try #require(status == 0)
    return String(decoding: bytes, as: UTF8.self)
  }
}
