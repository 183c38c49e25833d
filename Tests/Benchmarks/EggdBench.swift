import Foundation

/// `eggd-bench REPOSITORY DISK RESULTS [--python FILE] [NAME...]`, called by the script `run`.
@main
struct EggdBench {
  static func main() {
    var words = Array(CommandLine.arguments.dropFirst())
    do {
      if words.first == "--list" { return list() }
      if words.first == "--in-box" { return try BoxPeers.measure(Array(words.dropFirst())) }
      let python = option("--python", &words)
      guard words.count >= 3 else {
        return fail("usage: eggd-bench REPOSITORY DISK RESULTS [--python FILE] [NAME...]", 64)
      }
      let wanted = Array(words[3...])
      for name in wanted where !Benchmark.all.contains(where: { $0.name == name }) {
        return fail("there is no benchmark '\(name)'; Tests/Benchmarks/run --list names them", 64)
      }
      let bench = try Workbench(repository: words[0], disk: words[1], python: python)
      let chosen = Benchmark.all.filter { wanted.isEmpty ? !$0.isLong : wanted.contains($0.name) }
      let isComplete = run(chosen, on: bench, results: words[2])
      bench.end()
      exit(isComplete ? 0 : 1)
    } catch {
      fail("\(error)", 70)
    }
  }

  /// Whether each came to figures; a mark that is missed is in the table, and no failure.
  private static func run(_ benchmarks: [Benchmark], on bench: Workbench, results path: String) -> Bool {
    var load = [0.0]
    getloadavg(&load, 1)
    var results = Results(load: load[0], processors: ProcessInfo.processInfo.activeProcessorCount)
    print("\(results.processors) processors, load \(load[0].short)")
    print(Results.head)
    fflush(nil)
    var isComplete = true
    for benchmark in benchmarks {
      var report = Report(benchmark: benchmark.name)
      let begin = Clock.steady()
      do {
        try benchmark.run(bench, &report)
      } catch {
        report.missing.append("\(benchmark.name): \(error)")
        isComplete = false
      }
      report.seconds = Double(Clock.steady() - begin) / 1e9
      print(Results.text(report))
      fflush(nil)
      results.reports.append(report)
    }
    let marks = results.reports.flatMap(\.rows).compactMap(\.isMet)
    print("\(marks.count { $0 }) of \(marks.count) marks are met; all figures: \(path)")
    do { try results.write(to: path) } catch { fail("cannot write \(path): \(error)", 70) }
    return isComplete
  }

  private static func list() {
    for benchmark in Benchmark.all {
      let name = benchmark.name.padding(toLength: 12, withPad: " ", startingAt: 0)
      print("\(name)\(benchmark.summary)\(benchmark.isLong ? " (by name only)" : "")")
    }
  }

  private static func option(_ name: String, _ words: inout [String]) -> String? {
    guard let index = words.firstIndex(of: name), index + 1 < words.count else { return nil }
    defer { words.removeSubrange(index...(index + 1)) }
    return words[index + 1]
  }

  private static func fail(_ text: String, _ status: Int32) {
    FileHandle.standardError.write(Data("eggd-bench: \(text)\n".utf8))
    exit(status)
  }
}
