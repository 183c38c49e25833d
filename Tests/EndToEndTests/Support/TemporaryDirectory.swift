import Glibc

/// A directory below /tmp with a short name, removed with its owner.
final class TemporaryDirectory {
  let path: String

  init() throws {
    var template = Array("/tmp/egg-e2e.XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else { throw SystemFailure(call: "mkdtemp", errno: errno) }
    path = String(cString: made)
  }

  deinit {
    _ = try? Finished.run(["rm", "-rf", path], environment: ["PATH": "/usr/bin:/bin"])
  }
}
