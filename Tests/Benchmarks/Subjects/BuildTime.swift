import Foundation

/// How long a release build takes with nothing built, its dependencies downloaded: they are those of the work tree, since
/// there is no network here.
enum BuildTime {
  @Sendable static func run(_ bench: Workbench, _ report: inout Report) throws {
    guard Command.path("swift") != nil else { throw BenchFailure("swift is not installed") }
    let scratch = "\(bench.disk)/build"
    let swift = [
      "swift", "build", "--package-path", bench.repository, "--scratch-path", scratch, "-c", "release",
      "--disable-automatic-resolution",
    ]
    mkdir(scratch, 0o700)
    for name in ["checkouts", "repositories", "workspace-state.json"] {
      try Command.time(["cp", "-a", "\(bench.repository)/.build/\(name)", scratch])
    }
    // of a toolchain some variables say where it is
    let environment = ProcessInfo.processInfo.environment
    var seconds: [String: Double] = [:]
    for product in ["eggctl", "eggd"] {
      seconds[product] =
        Double(try Command.time(swift + ["--product", product], environment: environment)) / 1e9
    }
    let nothing = Double(try Command.time(swift + ["--product", "eggd"], environment: environment)) / 1e9
    report.rows += [
      Row("eggctl, from nothing", Sample([seconds["eggctl"] ?? .nan]), "s"),
      Row("eggd after it", Sample([seconds["eggd"] ?? .nan]), "s"),
      Row("once more, with nothing to do", Sample([nothing]), "s"),
    ]
  }
}
