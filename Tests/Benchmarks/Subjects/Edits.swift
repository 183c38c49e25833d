/// One call and its reply on a connection that is there, durable, beside a write of 128 bytes and its fdatasync(2).
enum Edits {
  @Sendable static func run(_ bench: Workbench, _ report: inout Report) throws {
    let daemon = try bench.daemon()
    defer { daemon.end() }
    let wire = try Wire(path: daemon.socket)
    let floor = try DurableWrite(path: "\(bench.disk)/floor")
    var spans: [[Int64]] = [[], [], [], []]
    for number in 1...210 {
      let calls = [
        Wire.call("Schedule", #"{"expression":"6h30m","label":"two soft ones"}"#),
        Wire.call("Edit", #"{"numbers":[\#(number)],"label":"three hard ones"}"#),
        Wire.call("Delete", #"{"numbers":[\#(number)]}"#),
      ]
      for (index, call) in calls.enumerated() {
        let span = try wire.time(call)
        if number > 10 { spans[index].append(span) }
      }
      let span = floor.time()
      if number > 10 { spans[3].append(span) }
    }
    guard wire.errors == 0 else { throw BenchFailure("\(wire.errors) calls were refused") }
    for (index, name) in ["add", "edit", "deletion"].enumerated() {
      report.rows.append(
        Row(
          "one \(name), call to reply", .microseconds(spans[index]), "µs",
          beside: [Row.Beside(name: "128 B + fdatasync", sample: .microseconds(spans[3]))]))
    }
  }
}
