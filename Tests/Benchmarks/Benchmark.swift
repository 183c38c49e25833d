/// One that can be run by its name.
struct Benchmark: Sendable {
  var name: String
  var summary: String
  /// How long it takes on two processors, in s.
  var seconds: Int
  /// Left out where no names are given.
  var isLong = false
  var run: @Sendable (Workbench, inout Report) throws -> Void

  /// In the order in which they run.
  static let all = [
    Benchmark(
      name: "lateness", summary: "200 single alarms a second apart, and 200 after 10 s of idle", seconds: 217,
      run: SteadyAlarms.run),
    Benchmark(
      name: "busy", summary: "single alarms while one core is busy", seconds: 13, run: SingleAlarms.busy),
    Benchmark(
      name: "flood", summary: "single alarms while five clients flood eggd", seconds: 13,
      run: SingleAlarms.flood),
    Benchmark(
      name: "burst", summary: "1 000 and 10 000 alarms in the same instant", seconds: 54, run: Bursts.run),
    Benchmark(
      name: "list", summary: "eggctl list of 1 000 and 10 000 alarms", seconds: 2, run: Listing.run),
    Benchmark(
      name: "instructions", summary: "instructions of three short commands", seconds: 3, run: Instructions.run
    ),
    Benchmark(
      name: "systemd", summary: "five verbs and 10 000 alarms beside systemd-run --user and journald",
      seconds: 45,
      run: BoxPeers.run),
    Benchmark(
      name: "throughput", summary: "alarms stored in a second, through the socket", seconds: 24,
      run: Throughput.run),
    Benchmark(
      name: "edits", summary: "one add, one edit and one deletion, call to reply", seconds: 1, run: Edits.run),
    Benchmark(name: "fan-out", summary: "a change told to 50 subscribers", seconds: 1, run: FanOut.run),
    Benchmark(
      name: "scale", summary: "costs with 0 to 1 000 000 stored alarms, and their figure", seconds: 60,
      run: Scale.run),
    Benchmark(
      name: "million", summary: "single alarms with 1 000 000 stored", seconds: 13, run: SingleAlarms.million),
    Benchmark(
      name: "idle", summary: "60 s without a system call, with 1 000 000 stored", seconds: 78, run: Idle.run),
    Benchmark(
      name: "size", summary: "what is installed, what it loads, how it starts", seconds: 1, run: Sizes.run),
    Benchmark(
      name: "import", summary: "1 000 000 alarms through eggctl import, alone and while another client adds",
      seconds: 70, isLong: true,
      run: Importing.run),
    Benchmark(
      name: "many", summary: "changes of 1 000 to 100 000 alarms at once, and how long others wait",
      seconds: 120,
      isLong: true, run: MassChanges.run),
    Benchmark(
      name: "build", summary: "eggd and eggctl built from nothing", seconds: 400, isLong: true,
      run: BuildTime.run),
  ]

  /// For people who look for a name.
  static var list: String {
    let lines = all.map { benchmark in
      let name = benchmark.name + String(repeating: " ", count: 12 - benchmark.name.count)
      let span = Table.span(Double(benchmark.seconds))
      return name + String(repeating: " ", count: 11 - span.count) + span + "  " + benchmark.summary
        + (benchmark.isLong ? " (only by name)" : "")
    }
    return lines.joined(separator: "\n") + "\nWithout a name: \(expectation(of: all.filter { !$0.isLong }))"
  }

  static func expectation(of benchmarks: [Benchmark]) -> String {
    "\(Table.span(Double(benchmarks.reduce(0) { $0 + $1.seconds }))) on two processors"
  }
}
