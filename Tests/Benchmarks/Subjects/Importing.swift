import Glibc

/// A million alarms as JSON lines through `eggctl import`, and what eggd takes of memory for it.
enum Importing {
  private static let count = 1_000_000

  @Sendable static func run(_ bench: Workbench, _ report: inout Report) throws {
    let file = "\(bench.disk)/import.jsonl"
    try write(file)
    defer { unlink(file) }
    let daemon = try bench.daemon()
    defer { daemon.end() }
    let span = try Command.time([bench.eggctl, "import", file], environment: daemon.environment)
    let memory = try daemon.memory()
    report.rows += [
      Row("eggctl import of \(count)", Sample([Double(span) / 1e9]), "s"),
      Row("alarms imported in a second", Sample([Double(count) / (Double(span) / 1e9)]), "/s"),
      Row("resident memory after it", Sample([memory.resident]), "MB"),
    ]
  }

  private static func write(_ path: String) throws {
    guard let file = fopen(path, "w") else { throw BenchFailure("cannot write \(path): errno \(errno)") }
    defer { fclose(file) }
    let first = Clock.wall() / 1000 + 10 * 86_400 * 1_000_000
    for index in 1...count {
      let moment = first + Int64(index) * 1_000_000
      fputs(
        """
        {"alarm":{"number":0,"state":"scheduled","done":false,"category":"other","eggs":1,"kind":"at",\
        "label":"alarm \(index)","expression":"2030-01-01","instant":\(moment)},"occurrences":[]}

        """, file)
    }
  }
}
