/// One that can be run by its name.
struct Benchmark: Sendable {
  var name: String
  var summary: String
  /// It takes minutes: left out where no names are given.
  var isLong = false
  var run: @Sendable (Workbench, inout Report) throws -> Void

  /// In the order in which they run.
  static let all = [
    Benchmark(
      name: "lateness", summary: "single alarms, warm and after 10 s of idle", run: SingleAlarms.idle),
    Benchmark(name: "busy", summary: "single alarms while one core is busy", run: SingleAlarms.busy),
    Benchmark(name: "flood", summary: "single alarms while a client floods eggd", run: SingleAlarms.flood),
    Benchmark(name: "burst", summary: "1 000 and 10 000 alarms in the same instant", run: Bursts.run),
    Benchmark(
      name: "slow-disk", summary: "1 000 alarms at once while each fsync takes 1 s", run: Bursts.slowDisk),
    Benchmark(name: "schedule", summary: "eggctl schedule, from start to exit", run: Scheduling.run),
    Benchmark(name: "list", summary: "eggctl list of 1 000 and 10 000 alarms", run: Listing.run),
    Benchmark(
      name: "throughput", summary: "alarms stored in a second, through the socket", run: Throughput.run),
    Benchmark(name: "edits", summary: "one edit and one deletion", run: Edits.run),
    Benchmark(name: "fan-out", summary: "a change told to 50 subscribers", run: FanOut.run),
    Benchmark(
      name: "scale", summary: "costs with 0 to 1 000 000 stored alarms, and their figure", run: Scale.run),
    Benchmark(name: "million", summary: "single alarms with 1 000 000 stored", run: SingleAlarms.million),
    Benchmark(name: "idle", summary: "60 s without a system call, with 1 000 000 stored", run: Idle.run),
    Benchmark(name: "size", summary: "what is installed, what it loads, how it starts", run: Sizes.run),
    Benchmark(
      name: "import", summary: "1 000 000 alarms through eggctl import", isLong: true, run: Importing.run),
  ]
}
