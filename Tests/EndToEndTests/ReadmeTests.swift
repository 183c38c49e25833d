import EggTestSupport
import Glibc
import Testing

@Suite("README")
struct ReadmeTests {
  private func text(of file: String) throws -> [UInt8] {
    let descriptor = open("\(Product.root)/\(file)", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw SystemFailure(call: "open \(file)", errno: errno) }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = read(descriptor, &part, part.count)
      guard count > 0 else { return bytes }
      bytes += part[..<count]
    }
  }

  @Test("Its ten commands succeed in order on an empty schedule")
  func tenCommands() throws {
    let readme = String(decoding: try text(of: "README.md"), as: UTF8.self)
    let block = try #require(
      readme.split(separator: "```sh\n").dropFirst().first?.split(separator: "```").first)
    let commands = block.split(separator: "\n")
    #expect(commands.count == 10)
    #expect(commands.allSatisfy { $0.hasPrefix("eggctl ") })
    let daemon = try PrivateDaemon()
    let folder = Product.eggctl.split(separator: "/").dropLast().joined(separator: "/")
    var environment = daemon.environment
    environment["PATH"] = "/\(folder):" + (environment["PATH"] ?? "/usr/bin:/bin")
    let finished = try Finished.run(["bash", "-exc", String(block)], environment: environment)
    #expect(finished.status == 0, "\(finished.output)\(finished.errors)")
    #expect(finished.output.contains("three soft ones"))
  }

  @Test(
    "Its pictures were made from this version",
    arguments: [("screenshot", "screenshots"), ("timer", "screenshots"), ("bubbles", "bubbles")])
  func picture(name: String, target: String) throws {
    let version = try Finished.run([Product.eggctl, "--version"], environment: [:]).output
      .split(separator: "\n").first
    let picture = String(decoding: try text(of: "docs/\(name).png"), as: UTF8.self)
    #expect(picture.contains("made from \(try #require(version))"), "make \(target)")
  }
}
