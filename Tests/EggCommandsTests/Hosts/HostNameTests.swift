import Alarms
import Testing

@testable import EggCommands

@Suite struct HostNameTests {
  @Test(
    "A machine is named as in systemctl: user, host and port",
    arguments: [
      ("kitchen", "kitchen", nil), ("egg@kitchen", "egg@kitchen", nil),
      ("egg@kitchen:2222", "egg@kitchen", 2222),
      ("192.168.1.5:22", "192.168.1.5", 22), ("[fe80::1%eth0]:22", "fe80::1%eth0", 22),
      ("egg@[::1]", "egg@::1", nil),
      ("::1", "::1", nil), (#"corp\egg@kitchen"#, #"corp\egg@kitchen"#, nil),
      ("egg@corp@kitchen", "egg@corp@kitchen", nil),
    ] as [(String, String, UInt16?)])
  func names(text: String, destination: String, port: UInt16?) throws {
    let name = try HostName(text)
    #expect(name.destination == destination)
    #expect(name.port == port)
    #expect(name.text == text)
  }

  @Test(
    "What ssh could read as an option, or no machine can be called, is refused",
    arguments: [
      "", "-oProxyCommand=ls", "egg@-oProxyCommand=ls", "-l@kitchen", "@kitchen", "egg@", "two words", "a;b",
      "a\nb",
      "kitchen/box", "$(ls)",
    ])
  func refused(text: String) {
    #expect(throws: Failure.self) { try HostName(text) }
    let run = Run.alone("list", "-H", text)
    #expect(run.status == .usage)
    #expect(run.messages.hasPrefix("eggctl: error: '\(text.visible)' is not the name of a machine\n"))
  }

  @Test(
    "A port is a number up to 65535",
    arguments: ["kitchen:0", "kitchen:ssh", "kitchen:65536", "[::1]x", "kitchen:"])
  func ports(text: String) {
    #expect(Run.alone("-H", text).messages.contains("is not a port\n"))
  }

  @Test("The column has the shortest names that differ")
  func column() throws {
    func shortened(_ names: String?...) throws -> [String] {
      HostName.shortened(try names.map { try $0.map { try HostName($0) } })
    }
    #expect(try shortened("egg@kitchen.example.org", "attic.example.org:22") == ["kitchen", "attic"])
    #expect(try shortened("kitchen.north", "kitchen.south") == ["kitchen.north", "kitchen.south"])
    #expect(try shortened("a@kitchen", "b@kitchen") == ["a@kitchen", "b@kitchen"])
    #expect(try shortened("192.168.1.5", "192.168.1.6:22") == ["192.168.1.5", "192.168.1.6"])
    #expect(try shortened(nil, "kitchen.example.org") == [".host", "kitchen"])
  }
}
