import LinuxIO
import EggTestSupport
import Glibc
import Testing

@testable import Varlink

/// The folder Tests.
private let tests = #filePath.split(separator: "/").dropLast(2).map { "/" + $0 }.joined()

func certificationText() throws -> String {
  let path = tests + "/VarlinkCertification/org.varlink.certification.varlink"
  let file = try #require(fopen(path, "r"))
  defer { fclose(file) }
  var bytes = [UInt8](repeating: 0, count: 1 << 16)
  return String(decoding: bytes[..<fread(&bytes, 1, bytes.count, file)], as: UTF8.self)
}

/// Runs against the Varlink package of PyPI. Fails if the package cannot be installed.
@Suite struct CertificationTests {
  private let python: String
  private let directory: TestDirectory
  private var address: String { "unix:\(directory.path)/socket" }

  init() throws {
    python =
      try TestProcess.run([tests + "/testbed/python-venv.sh"]).split(separator: "\n").last.map(String.init)
      ?? ""
    directory = try TestDirectory()
  }

  /// The executable next to the running one.
  private func program() throws -> String {
    var buffer = [CChar](repeating: 0, count: 4_096)
    let count = readlink("/proc/self/exe", &buffer, buffer.count)
    let own = String(decoding: buffer.prefix(max(count, 0)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let folder =
      own.hasSuffix(".xctest") ? own : CommandLine.arguments.first { $0.hasSuffix(".xctest") } ?? own
    return folder.split(separator: "/").dropLast().map { "/" + $0 }.joined() + "/VarlinkCertification"
  }

  private func waitForSocket() throws {
    let path = directory.path + "/socket"
    let found: Bool? = eventually {
      guard let fd = try? UnixSocket.connect(path: path) else { return nil }
      close(fd)
      return true
    }
    try #require(found == true)
  }

  @Test("The server passes Python's certification client")
  func server() throws {
    let server = try TestProcess(
      [try program(), "server", directory.path + "/socket"], in: try TestDirectory())
    try waitForSocket()
    let output = try TestProcess.run(
      [python, "-m", "varlink.tests.test_certification", "--client", "--varlink=\(address)"])
    #expect(output.contains("Certification passed"))
    withExtendedLifetime(server) {}
  }

  @Test("The client passes Python's certification server")
  func client() throws {
    let server = try TestProcess(
      [python, "-m", "varlink.tests.test_certification", "--varlink=\(address)"], in: try TestDirectory())
    try waitForSocket()
    #expect(try TestProcess.run([program(), "client", directory.path + "/socket"]) == "")
    withExtendedLifetime(server) {}
  }

  @Test("Python's varlink.cli describes and calls the server, errors and streams included")
  func commandLine() throws {
    let service = try TestService()
    service.server.listen(on: try UnixSocket.listen(path: directory.path + "/socket"))
    func cli(_ arguments: String...) throws -> String {
      try TestProcess.run([python, "-m", "varlink.cli"] + arguments)
    }
    #expect(try cli("info", address).contains("org.example.test"))
    #expect(
      try cli("help", "\(address)/org.example.test").contains("method Echo(text: string) -> (text: string)"))
    #expect(
      try cli("call", "\(address)/org.example.test.Echo", #"{"text":"🥚"}"#)
        == "{\n  \"text\": \"\\ud83e\\udd5a\"\n}\n")
    #expect(
      try cli("call", "--more", "\(address)/org.example.test.Count", #"{"to":2}"#)
        == "{\n  \"number\": 1\n}\n{\n  \"number\": 2\n}\n")
    // varlink.cli exits with 0 even on errors.
    #expect(try cli("call", "\(address)/org.example.test.Refuse").contains("org.example.test.Refused"))
  }
}
