import Glibc

/// What is installed, which libraries it loads, and how long it takes to start.
enum Sizes {
  @Sendable static func run(_ bench: Workbench, _ report: inout Report) throws {
    for (name, program) in [("eggd", bench.eggd), ("eggctl", bench.eggctl)] {
      let libraries = try loaded(by: program, bench)
      report.rows += [
        Row("\(name), the file", Sample([MiB.ofFile(program)]), "MiB"),
        Row("libraries that \(name) loads", Sample([Double(libraries.count)]), ""),
      ]
      guard !libraries.isEmpty else { continue }
      report.rows.append(
        Row("what \(name) loads", Sample([libraries.map(MiB.ofFile).reduce(0, +)]), "MiB"))
      let names = libraries.compactMap { $0.split(separator: "/").last }.joined(separator: " ")
      report.notes.append("\(name) loads \(names)")
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
      Row("eggd --version, start to exit", .milliseconds(spans[0]), "ms", beside: [bare]),
      Row("eggctl --version, start to exit", .milliseconds(spans[1]), "ms", beside: [bare]),
    ]
  }

  /// Their paths, ldd(1).
  private static func loaded(by program: String, _ bench: Workbench) throws -> [String] {
    // ldd exits with 1 for a static file
    let text = try Command.output(
      ["bash", "-c", "ldd \"$0\" 2>&1 || true", program], through: "\(bench.disk)/ldd")
    if text.contains("not a dynamic executable") || text.contains("statically linked") { return [] }
    guard !text.contains("not found") else { throw BenchFailure("\(program) lacks a library: \(text)") }
    let libraries = text.split(separator: "\n").compactMap { line in
      line.split(whereSeparator: { $0 == " " || $0 == "\t" }).first { $0.hasPrefix("/") }.map { String($0) }
    }
    guard !libraries.isEmpty else { throw BenchFailure("ldd says nothing of \(program)") }
    return libraries
  }
}
