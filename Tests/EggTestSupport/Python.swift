import Glibc

/// Runs programs with the Python that has the test packages from PyPI.
package enum Python {
  /// The folder Tests.
  private static let tests = #filePath.split(separator: "/").dropLast(2).map { "/" + $0 }.joined()

  private struct Failed: Error {
    var command: String
  }

  /// Runs a program and returns the lines it prints. Its first argument names a file with the input.
  package static func lines(_ program: String, input: String) throws -> [Substring] {
    guard let python = try output("'\(tests)/testbed/python-venv.sh'").split(separator: "\n").last else {
      throw Failed(command: "python-venv.sh")
    }
    var name = Array("/tmp/calendar-test.XXXXXX".utf8CString)
    let descriptor = mkstemp(&name)
    guard let file = fdopen(descriptor, "w") else { throw Failed(command: "mkstemp") }
    let path = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    defer { unlink(path) }
    fputs(input, file)
    fclose(file)
    let quoted = program.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#)
    return try output("\(python) -c '\(quoted)' \(path)").split(separator: "\n")
  }

  private static func output(_ command: String) throws -> String {
    guard let pipe = popen(command, "re") else { throw Failed(command: command) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = fread(&buffer, 1, buffer.count, pipe), count > 0 { bytes += buffer[..<count] }
    guard pclose(pipe) == 0 else { throw Failed(command: String(command.prefix(200))) }
    return String(decoding: bytes, as: UTF8.self)
  }
}
