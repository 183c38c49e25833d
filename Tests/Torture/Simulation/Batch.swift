import Dispatch
import EggStore
import EggTestSupport
import EggTime
import Foundation

/// Many runs: `--first SEED --every N --runs COUNT --steps STEPS --seconds LIMIT`, each with the next seed but N - 1.
/// The first that fails is repeated with its trace.
struct Batch {
  private let arguments: Arguments
  /// Where all of it lies, until the process exits.
  private static let base = "/dev/shm/eggd-simulate-\(getpid())"
  private var base: String { Self.base }

  init(_ arguments: Arguments) { self.arguments = arguments }

  func run() -> Int32 {
    mkdir(base, 0o700)
    // not by defer: fail exits
    atexit { try? FileManager.default.removeItem(atPath: Batch.base) }
    let first = arguments.number("first", 1)
    let steps = Int(arguments.number("steps", 200))
    let runs = arguments.number("runs", 1)
    let every = arguments.number("every", 1)
    let end = DispatchTime.now() + .seconds(Int(arguments.number("seconds", 100_000)))
    do {
      let template = try makeTemplate()
      if arguments.has("day") {
        return try LongRun(base: base, hours: Int64(arguments.number("day", 24))).run(template: template)
          ? 0 : 1
      }
      var sums = Sums()
      for index in 0..<runs {
        let seed = first &+ index &* every
        var report = try one(seed, steps, template, isTraced: arguments.has("trace"))
        sums.add(report)
        if let violation = report.violation {
          sums.printAll()
          print("FAIL seed \(seed): \(violation)")
          if !arguments.has("trace") { report = try one(seed, steps, template, isTraced: true) }
          let lines = arguments.has("trace") ? report.trace : Array(report.trace.suffix(60))
          for line in lines { print("     | \(line)") }
          if report.violation != violation {
            print("     | repeated, it said: \(report.violation ?? "nothing")")
          }
          return 1
        }
        if arguments.has("trace") { for line in report.trace { print("     | \(line)") } }
        if DispatchTime.now() > end { break }
      }
      sums.printAll()
      return 0
    } catch { fail("\(error)") }
  }

  private func one(_ seed: UInt64, _ steps: Int, _ template: String, isTraced: Bool) throws
    -> Simulation.Report
  {
    let folder = base + "/run"
    mkdir(folder, 0o700)
    defer { rmdir(folder) }
    return try Simulation(
      seed: seed, steps: steps, base: folder, template: template, isTraced: isTraced
    ).run()
  }

  /// An empty database, so that not every run has to make one.
  private func makeTemplate() throws -> String {
    let folder = base + "/template"
    let queue = DispatchQueue(label: "template")
    var store: AlarmStore? = try AlarmStore(
      directory: StateDirectory(path: folder), queue: queue, clock: FakeClock(), bootID: "boot-1",
      log: { _ in })
    let closed = DispatchSemaphore(value: 0)
    store?.close { closed.signal() }
    closed.wait()
    store = nil
    return folder + "/schedule.db"
  }
}

/// What many runs come to.
struct Sums {
  private var runs = 0
  private var steps = 0
  private var counts = Ledger.Counts()
  private var crashes: [String: Int] = [:]
  private var events: [String: Int] = [:]
  private let start = DispatchTime.now()

  mutating func add(_ report: Simulation.Report) {
    runs += 1
    steps += report.steps
    counts.rings += report.counts.rings
    counts.missed += report.counts.missed
    counts.unanswered += report.counts.unanswered
    counts.again += report.counts.again
    counts.compared += report.counts.compared
    counts.late.merge(report.counts.late) { $0 + $1 }
    crashes.merge(report.crashes) { $0 + $1 }
    events.merge(report.events) { $0 + $1 }
  }

  func printAll() {
    let seconds = Double(DispatchTime.now().uptimeNanoseconds - start.uptimeNanoseconds) / 1e9
    func list(_ counts: [String: Int]) -> String {
      counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { "\($0.key) \($0.value)" }.joined(
        separator: ", ")
    }
    print("     | \(runs) runs, \(steps) steps in \(Int(seconds)) s")
    print("     | \(counts.rings) rings, \(counts.missed) missed, \(counts.unanswered) unanswered; \(list(counts.late))")
    print(
      "     | \(crashes.values.reduce(0, +)) kills; \(list(crashes)); \(counts.again) alarms in doubt after them"
    )
    print("     | \(counts.compared) rows compared; \(list(events))")
  }
}
