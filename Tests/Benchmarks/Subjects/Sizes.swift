import Glibc

/// What is installed, which libraries it loads, and how long it takes to start.
enum Sizes {
  @Sendable static func run(_ bench: Workbench, _ report: inout Report) throws {
    for program in [bench.eggd, bench.eggctl] {
      let name = program.split(separator: "/").last.map { String($0) } ?? program
      report.rows.append(Row("\(name): file", Sample([megabytes(program)]), "MB"))
      let libraries = try loaded(by: program, bench)
      let sum = libraries.map(megabytes).reduce(0, +)
      if libraries.isEmpty {
        report.notes.append("\(name) is static and loads nothing")
      } else {
        let names = libraries.compactMap { $0.split(separator: "/").last }.joined(separator: " ")
        report.rows.append(Row("\(name): \(libraries.count) libraries", Sample([sum]), "MB"))
        report.notes.append("\(name) loads \(names)")
      }
      let foreign = libraries.filter { !$0.hasPrefix("/lib") && !$0.hasPrefix("/usr/lib/") }
      guard foreign.isEmpty else { throw BenchFailure("\(name) loads \(foreign.joined(separator: " "))") }
    }
    var spans: [[Int64]] = [[], [], []]
    for round in -2..<30 {
      for (index, words) in [[bench.eggd, "--version"], [bench.eggctl, "--version"], ["true"]].enumerated() {
        let span = try Command.time(words)
        if round >= 0 { spans[index].append(span) }
      }
    }
    let bare = Row.Beside(name: "true", sample: .milliseconds(spans[2]))
    report.rows += [
      Row("eggd --version, start to exit", .milliseconds(spans[0]), "ms", beside: bare),
      Row("eggctl --version, start to exit", .milliseconds(spans[1]), "ms", beside: bare),
    ]
  }

  private static func megabytes(_ path: String) -> Double {
    var status = stat()
    return stat(path, &status) == 0 ? Double(status.st_size) / 1_048_576 : .nan
  }

  /// Their paths, ldd(1).
  private static func loaded(by program: String, _ bench: Workbench) throws -> [String] {
    // ldd exits with 1 for a static file
    let text = try Command.output(
      ["bash", "-c", "ldd \"$0\" || true", program], through: "\(bench.disk)/ldd")
    return text.split(separator: "\n").compactMap { line in
      line.split(whereSeparator: { $0 == " " || $0 == "\t" }).first { $0.hasPrefix("/") }.map { String($0) }
    }
  }
}
