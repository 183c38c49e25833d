import EggTestSupport
import Glibc
import Testing

/// A directory for one test, removed with its contents.
final class TestDirectory {
  let path: String

  init() throws {
    var template = Array("/tmp/varlink-test.XXXXXX".utf8CString)
    try #require(mkdtemp(&template) != nil)
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit {
    for name in ["a", "b", "socket", "output"] { unlink("\(path)/\(name)") }
    rmdir(path)
  }
}

/// A child process that ends with its owner.
final class TestProcess {
  let pid: pid_t
  private let outputPath: String
  private var status: Int32?

  /// Output, errors included, goes to a file in `directory`.
  init(_ arguments: [String], in directory: TestDirectory) throws {
    outputPath = directory.path + "/output"
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 1, outputPath, O_WRONLY | O_CREAT | O_APPEND, 0o600)
    posix_spawn_file_actions_adddup2(&actions, 1, 2)
    var argv: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    defer { argv.forEach { free($0) } }
    var child: pid_t = 0
    let code = posix_spawnp(&child, arguments[0], &actions, nil, &argv, environ)
    try #require(code == 0, "\(arguments[0]): \(String(cString: strerror(code)))")
    pid = child
  }

  deinit {
    guard status == nil else { return }
    kill(pid, SIGKILL)
    waitpid(pid, nil, 0)
  }

  /// 128 and more for a signal; nil when it does not exit in time.
  func waitForEnd() -> Int32? {
    eventually {
      var raw: Int32 = 0
      guard waitpid(pid, &raw, WNOHANG) == pid else { return nil }
      status = raw & 0x7F == 0 ? (raw >> 8) & 0xFF : 128 + raw & 0x7F
      return status
    }
  }

  var output: String {
    guard let file = fopen(outputPath, "r") else { return "" }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    return String(decoding: bytes[..<fread(&bytes, 1, bytes.count, file)], as: UTF8.self)
  }

  /// Returns the output; records an issue unless it exits with 0.
  static func run(_ arguments: [String]) throws -> String {
    let directory = try TestDirectory()
    let process = try TestProcess(arguments, in: directory)
    let status = process.waitForEnd()
    let output = process.output
    try #require(status == 0, "\(arguments.joined(separator: " ")): \(output)")
    return output
  }
}
