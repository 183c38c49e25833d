import Alarms
import EggProtocol
import EggTestSupport
import Glibc
import Testing

@Suite("a database that is not as eggd left it")
struct DatabaseTests {
  private func sqlite(_ daemon: PrivateDaemon, _ statement: String) throws -> Finished {
    try Finished.run(["sqlite3", daemon.database, statement], environment: daemon.environment)
  }

  private func checksum(_ daemon: PrivateDaemon) throws -> String {
    try Finished.run(["sha256sum", daemon.database], environment: daemon.environment).output
  }

  private func files(_ daemon: PrivateDaemon) throws -> [String] {
    try Finished.run(["ls", daemon.stateDirectory], environment: daemon.environment).output
      .split(separator: "\n").map(String.init)
  }

  @Test("written by a newer eggd: refused with exit 78 and a clear line, untouched")
  func newer() throws {
    let daemon = try PrivateDaemon()
    _ = try daemon.client().call(ScheduleCall(expression: "1h"))
    daemon.process.signal(SIGTERM)
    #expect(daemon.process.waitForEnd() == 0)
    #expect(
      try sqlite(
        daemon, "PRAGMA user_version = 999"
      ).status == 0)
    let before = try checksum(daemon)
    try daemon.launch()
    #expect(daemon.process.waitForEnd() == 78)
    #expect(daemon.process.errors.contains { $0.text.contains("newer") }, "\(daemon.process.errors)")
    #expect(try checksum(daemon) == before)
  }

  @Test("corrupt: set aside whole, what can be read is salvaged, and it is said")
  func corrupt() throws {
    let daemon = try PrivateDaemon()
    let client = try daemon.client()
    var numbers: [Int64] = []
    for index in 0..<400 {
      let call = ScheduleCall(
        expression: "2h", label: "egg \(index)", manner: Manner(body: String(repeating: "x", count: 200)))
      numbers.append(try client.call(call).alarm.number)
    }
    daemon.process.signal(SIGTERM)
    #expect(daemon.process.waitForEnd() == 0)
    #expect(try sqlite(daemon, "PRAGMA wal_checkpoint(TRUNCATE)").status == 0)
    // noise over two pages in the middle of the table
    let noise = try Finished.run(
      [
        "bash", "-c",
        #"size=$(stat -c %s "$1"); head -c 8192 /dev/urandom | dd of="$1" bs=4096 seek=$((size / 8192)) conv=notrunc status=none"#,
        "bash", daemon.database,
      ], environment: daemon.environment)
    #expect(noise.status == 0)
    let damaged = try checksum(daemon).prefix(64)
    try daemon.restart()
    // reading every row meets the damage at the latest
    let alarms: [WireAlarm]? = eventually {
      guard let alarms = try? daemon.client().call(ListCall()).alarms,
        (try? files(daemon).contains { $0.hasPrefix("schedule.db.corrupt-") }) == true
      else { return nil }
      return alarms
    }
    let salvaged = try #require(alarms, "not noticed: \(daemon.process.errors.map(\.text))")
    #expect(salvaged.count > 200 && salvaged.count < 400, "\(salvaged.count) salvaged")
    #expect(Set(numbers).isSuperset(of: salvaged.map(\.number)))
    let aside = try #require(try files(daemon).first { $0.hasPrefix("schedule.db.corrupt-") })
    let sum = try Finished.run(
      ["bash", "-c", #"sha256sum "$1"* "$1"/* 2>/dev/null"#, "bash", daemon.stateDirectory + "/" + aside],
      environment: daemon.environment)
    #expect(sum.output.contains(damaged), "it is not whole: \(sum.output)")
    #expect(daemon.process.errors.contains { $0.text.contains("set aside") })
    #expect(
      daemon.process.errors.contains { $0.text.contains("salvaged \(salvaged.count) alarms") },
      "\(daemon.process.errors.map(\.text))")
    let next = try daemon.client().call(ScheduleCall(expression: "1h")).alarm.number
    #expect(next >= (numbers.last ?? 0) + 1_000)
  }

  @Test("taken away: commands are refused, what is in memory rings, and a file put back is used again")
  func takenAway() throws {
    let daemon = try PrivateDaemon()
    let client = try daemon.client()
    let later = try client.call(ScheduleCall(expression: "1h")).alarm.number
    let soon = try client.call(ScheduleCall(expression: "2s", manner: Manner(summary: "Taken!"))).alarm.number
    let away = daemon.directory + "/away"
    #expect(
      try Finished.run(
        ["bash", "-c", #"mkdir "$2" && mv "$1"/schedule.db* "$2""#, "bash", daemon.stateDirectory, away],
        environment: daemon.environment
      ).status == 0)
    let refusal: Finished? = try eventually {
      let finished = try daemon.eggctl("schedule", "1h")
      return finished.status == 0 ? nil : finished
    }
    #expect(refusal?.status == 1, "\(String(describing: refusal))")
    #expect(daemon.process.waitForError(containing: "Taken!") != nil)
    #expect(try !files(daemon).contains("schedule.db"))
    // put back one by one, each noticed before the next
    for file in ["schedule.db", "schedule.db-shm", "schedule.db-wal"] {
      #expect(rename("\(away)/\(file)", "\(daemon.stateDirectory)/\(file)") == 0)
      let numbers = eventually { try? daemon.client().call(ListCall()).alarms.map(\.number) }
      #expect(
        numbers?.contains(later) == true && numbers?.contains(soon) == true,
        "\(file): \(String(describing: numbers)) \(daemon.process.errors.map(\.text))")
    }
    let made = eventually { try? daemon.client().call(ScheduleCall(expression: "1h")).alarm.number }
    #expect(made != nil)
    try daemon.kill()
    try daemon.restart()
    #expect(try daemon.client().call(ListCall()).alarms.map(\.number).contains(made ?? 0))
  }

  @Test("a directory that cannot be read is a clear error")
  func unreadable() throws {
    let place = try TemporaryDirectory()
    // a file where the directory should be hits root as well
    #expect(mknod(place.path + "/eggd", S_IFREG | 0o600, 0) == 0)
    let daemon = try ChildProcess(
      [Product.testbed("without-journald"), Product.eggd],
      environment: [
        "PATH": "/usr/bin:/bin", "HOME": place.path, "XDG_STATE_HOME": place.path,
        "XDG_RUNTIME_DIR": place.path,
      ])
    #expect(daemon.waitForEnd() == 78)
    #expect(daemon.errors.contains { $0.text.contains(place.path + "/eggd") }, "\(daemon.errors)")
  }
}

@Suite("commits")
struct CommitTests {
  @Test("a commit is one sync of the log, before the reply")
  func oneSync() throws { try Scenario.run("one-sync.sh") }
}

@Suite("disks", .enabled(if: isRoot, "mounts a disk: needs root"))
struct DiskTests {
  @Test("full or read-only: alarms ring, changes are refused, nothing is lost and nothing rings twice")
  func disks() throws {
    let place = try TemporaryDirectory()
    try Scenario.run("disks.sh", below: [Product.testbed("with-small-disk"), "-s", "8M", place.path])
  }

  @Test("a change of many that no longer fits is refused as a whole, and its room comes back")
  func room() throws {
    let place = try TemporaryDirectory()
    try Scenario.run("room.sh", below: [Product.testbed("with-small-disk"), "-s", "32M", place.path])
  }

  @Test("whatever a kill has left, whatever the disk or a lock: eggd starts, rings and answers")
  func starts() throws {
    let place = try TemporaryDirectory()
    try Scenario.run("starts.sh", below: [Product.testbed("with-small-disk"), "-s", "24M", place.path])
  }

  @Test(
    "on a network file system eggd does not start, and says why",
    .enabled(if: access("/dev/fuse", F_OK) == 0, "this kernel has no FUSE"))
  func network() throws { try Scenario.run("network-disk.sh") }
}
