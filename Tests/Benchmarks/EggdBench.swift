import Foundation

/// `eggd-bench REPOSITORY DISK RESULTS [--python FILE] [--figure FILE] [--to ALARMS] [NAME...]`, called by the
/// script `run`.
@main
struct EggdBench {
  static func main() {
    var words = Array(CommandLine.arguments.dropFirst())
    do {
      if words.first == "--list" { return print(Benchmark.list) }
      if words.first == "--check" { return check(words.dropFirst()) }
      if words.first == "--in-box" { return try InBox.measure(Array(words.dropFirst())) }
      let python = option("--python", &words)
      let figure = option("--figure", &words)
      let largest = option("--to", &words)
      guard words.count >= 3, largest.map({ Int($0) != nil }) ?? true else {
        return fail(
          "usage: eggd-bench REPOSITORY DISK RESULTS [--python FILE] [--figure FILE] [--to ALARMS] [NAME...]",
          64)
      }
      Leftovers.include(words[1])
      try Leftovers.watchSignals()
      let bench = try Workbench(
        repository: words[0], disk: words[1], python: python, figure: figure,
        largest: largest.flatMap { Int($0) })
      let wanted = Array(words[3...])
      let chosen = Benchmark.all.filter { wanted.isEmpty ? !$0.isLong : wanted.contains($0.name) }
      let isComplete = run(chosen, on: bench, results: words[2])
      Leftovers.remove()
      exit(isComplete ? 0 : 1)
    } catch {
      fail("\(error)", 70)
    }
  }

  /// Whether each came to figures; a mark that is missed is in the table, and no failure.
  private static func run(_ benchmarks: [Benchmark], on bench: Workbench, results path: String) -> Bool {
    var results = Results(conditions: Conditions(bench))
    let table = Table.ofProcess
    print("\(results.conditions.text)\n\(Benchmark.expectation(of: benchmarks))\n")
    print(table.head)
    for benchmark in benchmarks {
      print(table.title(benchmark))
      fflush(nil)
      var report = Report(benchmark: benchmark.name)
      let begin = Clock.steady()
      do {
        try benchmark.run(bench, &report)
      } catch {
        report.failed.append("\(error)")
      }
      Leftovers.waitIfEnding()
      report.seconds = Double(Clock.steady() - begin) / 1e9
      print(table.body(report))
      results.reports.append(report)
    }
    print(table.foot(results))
    fflush(nil)
    do { try results.write(to: path) } catch { fail("cannot write \(path): \(error)", 70) }
    print("All figures: \(path)")
    fflush(nil)
    return results.reports.allSatisfy(\.failed.isEmpty)
  }

  /// That there are benchmarks of these names.
  private static func check(_ names: ArraySlice<String>) {
    for name in names where !Benchmark.all.contains(where: { $0.name == name }) {
      fail("there is no benchmark '\(name)'; Tests/Benchmarks/run --list names them", 64)
    }
  }

  private static func option(_ name: String, _ words: inout [String]) -> String? {
    guard let index = words.firstIndex(of: name), index + 1 < words.count else { return nil }
    defer { words.removeSubrange(index...(index + 1)) }
    return words[index + 1]
  }

  private static func fail(_ text: String, _ status: Int32) {
    FileHandle.standardError.write(Data("eggd-bench: \(text)\n".utf8))
    Leftovers.remove()
    exit(status)
  }
}
