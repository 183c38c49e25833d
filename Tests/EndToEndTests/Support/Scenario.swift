import EggTestSupport
import Glibc
import Testing

/// Runs a script of Scenarios, whose claims are lines of "ok" and "FAIL".
enum Scenario {
  /// As this user, on this machine.
  static func run(_ script: String, below wrapper: [String] = []) throws {
    try expectAllClaims(of: wrapper + [Product.scenario(script)])
  }

  /// In the box: a systemd of its own, a login user, the product below /usr/local; `setup` is run by root
  /// before that.
  static func runInBox(
    _ script: [String], setup: [String] = [], options: [String] = [], installed: Bool = true
  ) throws {
    let install = installed ? ["make -s install PREFIX=/usr/local >/dev/null"] : []
    try expectAllClaims(
      of: [Product.testbed("with-user-systemd")] + options
        + (install + setup).flatMap { ["--setup", $0] }
        + ["--", Product.scenario(script[0])] + script.dropFirst())
  }

  private static func expectAllClaims(of command: [String]) throws {
    // the test's own session, if there is one, is not the scenario's
    var environment = [
      "PATH": inherited("PATH") ?? "/usr/bin:/bin", "LANG": "C.UTF-8", "HOME": "/nonexistent",
    ]
    for name in ["HOME", "CI", "PIP_FIND_LINKS", "PIP_INDEX_URL", "PIP_CERT", "SSL_CERT_FILE", "https_proxy"]
    {
      environment[name] = inherited(name) ?? environment[name]
    }
    let finished = try Finished.run(
      ["env", "-C", Product.root] + command, environment: environment, within: longPatience)
    let lines = finished.output.split(separator: "\n")
    #expect(finished.status == 0, "\(finished.output)\(finished.errors)")
    #expect(
      lines.contains { $0.hasPrefix("ok ") }, "nothing was claimed: \(finished.output)\(finished.errors)")
    #expect(!lines.contains { $0.hasPrefix("FAIL") })
  }
}
