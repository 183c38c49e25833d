import Glibc
import Testing

/// Runs programs with the Python that has the test packages from PyPI.
package enum Python {
  /// The folder Tests.
  private static let tests = #filePath.split(separator: "/").dropLast(2).map { "/" + $0 }.joined()

  /// Runs a program and returns the lines it prints. Its first argument names a file with the input.
  package static func lines(_ program: String, input: String) throws -> [Substring] {
    let python = try #require(try output("'\(tests)/testbed/python-venv.sh'").split(separator: "\n").last)
    var name = Array("/tmp/calendar-test.XXXXXX".utf8CString)
    let descriptor = mkstemp(&name)
    let file = try #require(fdopen(descriptor, "w"))
    let path = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    defer { unlink(path) }
    fputs(input, file)
    fclose(file)
    let quoted = program.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#)
    return try output("\(python) -c '\(quoted)' \(path)").split(separator: "\n")
  }

  private static func output(_ command: String) throws -> String {
    let pipe = try #require(popen(command, "re"))
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = fread(&buffer, 1, buffer.count, pipe), count > 0 { bytes += buffer[..<count] }
    try #require(pclose(pipe) == 0, "\(command.prefix(200)) failed")
    return String(decoding: bytes, as: UTF8.self)
  }
}
