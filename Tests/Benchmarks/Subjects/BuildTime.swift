/// How long a release build takes with nothing built, its dependencies downloaded.
enum BuildTime {
  @Sendable static func run(_ bench: Workbench, _ report: inout Report) throws {
    guard Command.path("swift") != nil else { throw BenchFailure("swift is not installed") }
    let scratch = "\(bench.disk)/build"
    let swift = [
      "swift", "build", "--package-path", bench.repository, "--scratch-path", scratch, "-c", "release",
    ]
    try Command.time([
      "swift", "package", "resolve", "--package-path", bench.repository, "--scratch-path", scratch,
    ])
    var seconds: [String: Double] = [:]
    for product in ["eggctl", "eggd"] {
      seconds[product] = Double(try Command.time(swift + ["--product", product])) / 1e9
    }
    let nothing = Double(try Command.time(swift + ["--product", "eggd"])) / 1e9
    report.rows += [
      Row("eggctl, from nothing", Sample([seconds["eggctl"] ?? .nan]), "s"),
      Row("eggd after it", Sample([seconds["eggd"] ?? .nan]), "s"),
      Row("once more, with nothing to do", Sample([nothing]), "s"),
    ]
  }
}
