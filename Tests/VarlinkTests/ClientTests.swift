import LinuxIO
import EggTestSupport
import Glibc
import Testing

@testable import Varlink

@Suite struct ClientTests {
  private struct Number: Decodable, Equatable { var number: Int }
  private struct Sum: Decodable { var sum: Int }
  private struct SumParameters: Encodable {
    var numbers: [Int]
    var color: String?
    var flag: Bool?
  }

  private static let prefix = "org.example.test."

  private func error(_ body: () throws -> Void) -> VarlinkClientError? {
    do { try body() } catch { return error as? VarlinkClientError }
    return nil
  }

  @Test("A call returns its reply, and nil parameters are omitted")
  func call() throws {
    let service = try TestService()
    let client = try service.client()
    let sum: Sum = try client.call(Self.prefix + "Sum", SumParameters(numbers: [1, 2]))
    #expect(sum.sum == 3)
    let _: NoParameters = try client.call("org.varlink.service.GetInfo")
  }

  @Test("An error reply is thrown with its name and parameters, and the connection stays usable")
  func remote() throws {
    struct Reason: Decodable { var reason: String }
    let service = try TestService()
    let client = try service.client()
    guard
      case .remote(let remote) = error({ _ = try client.call(Self.prefix + "Refuse", as: NoParameters.self) })
    else {
      Issue.record("no remote error")
      return
    }
    #expect(remote.name == "org.example.test.Refused")
    #expect(remote.parameters(as: Reason.self)?.reason == "no")
    #expect(remote.parameters(as: Sum.self) == nil)
    let sum: Sum = try client.call(Self.prefix + "Sum", SumParameters(numbers: []))
    #expect(sum.sum == 0)
  }

  @Test("After the end of a stream the connection serves the next call")
  func more() throws {
    let service = try TestService()
    let client = try service.client()
    var numbers: [Int] = []
    try client.callMore(Self.prefix + "Count", ["to": 3], as: Number.self) { reply in
      numbers.append(reply.number)
      return true
    }
    #expect(numbers == [1, 2, 3])
    let _: NoParameters = try client.call("org.varlink.service.GetInfo")
  }

  @Test("Leaving a stream early closes the connection")
  func moreEnded() throws {
    struct Enough: Error {}
    let service = try TestService()
    let stopped = try service.client()
    try stopped.callMore(Self.prefix + "Count", ["to": 3], as: Number.self) { _ in false }
    let thrown = try service.client()
    #expect(throws: Enough.self) {
      try thrown.callMore(Self.prefix + "Count", ["to": 3], as: Number.self) { _ in throw Enough() }
    }
    for client in [stopped, thrown] {
      guard
        case .disconnected = error({
          _ = try client.call("org.varlink.service.GetInfo", as: NoParameters.self)
        })
      else {
        Issue.record("still connected")
        continue
      }
    }
  }

  @Test("Replies that have arrived are taken without waiting, and the connection serves the next call")
  func arrived() throws {
    let service = try TestService()
    let client = try service.client()
    try client.beginMore(Self.prefix + "Hold", TestService.Name(name: "a"))
    #expect(try client.takeArrived(as: TestService.Name.self)?.reply == nil)
    service.release("a", continues: true)
    service.release("a", continues: false)
    var replies: [Bool] = []
    while replies.last != true {
      var entry = pollfd(fd: client.descriptor, events: Int16(POLLIN), revents: 0)
      try #require(poll(&entry, 1, Int32(patience.components.seconds) * 1_000) == 1)
      while replies.last != true, let taken = try client.takeArrived(as: TestService.Name.self) {
        #expect(taken.reply.name == "a")
        replies.append(taken.isLast)
      }
    }
    #expect(replies == [false, true])
    let _: NoParameters = try client.call("org.varlink.service.GetInfo")
  }

  @Test("Replies that arrived before the server left are taken before the end is reported")
  func arrivedEnd() throws {
    var ends: [Int32] = [-1, -1]
    try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
    let client = VarlinkClient(descriptor: ends[1])
    try client.beginMore(Self.prefix + "Count", ["to": 3])
    let sent = Array("{\"parameters\":{\"number\":1},\"continues\":true}\0{\"par".utf8)
    try #require(sent.withUnsafeBytes { write(ends[0], $0.baseAddress, $0.count) } == sent.count)
    close(ends[0])
    #expect(try client.takeArrived(as: Number.self)?.reply == Number(number: 1))
    guard case .disconnected = error({ _ = try client.takeArrived(as: Number.self) }) else {
      Issue.record("no end")
      return
    }
  }

  @Test("Pipelined calls are answered in order, and a failed one leaves the others")
  func pipeline() throws {
    let service = try TestService()
    let client = try service.client()
    try client.send(Self.prefix + "Echo", TestService.Text(text: "a"))
    try client.send(Self.prefix + "Refuse")
    try client.oneway(Self.prefix + "Echo", TestService.Text(text: "quiet"))
    try client.send(Self.prefix + "Echo", TestService.Text(text: "b"))
    #expect(try client.receive() == TestService.Text(text: "a"))
    guard case .remote = error({ _ = try client.receive(as: NoParameters.self) }) else {
      Issue.record("no remote error")
      return
    }
    #expect(try client.receive() == TestService.Text(text: "b"))
    #expect(service.onewayTexts == ["quiet"])
    guard case .misuse = error({ _ = try client.receive(as: NoParameters.self) }) else {
      Issue.record("a reply that was never asked for")
      return
    }
  }

  @Test("The reply to a call sent ahead is taken before the next one's; a refused one leaves that")
  func ahead() throws {
    let service = try TestService()
    let client = try service.client()
    var heard: [TestService.Text?] = []
    func send(_ method: String, _ text: String = "") throws {
      try client.sendAhead(Self.prefix + method, TestService.Text(text: text), as: TestService.Text.self) {
        heard.append($0)
      }
    }
    try send("Echo", "a")
    #expect(heard.isEmpty)
    let sum: Sum = try client.call(Self.prefix + "Sum", SumParameters(numbers: [1, 2]))
    #expect(sum.sum == 3)
    #expect(heard == [TestService.Text(text: "a")])
    try send("Refuse")
    guard case .misuse = error({ try send("Echo", "b") }) else {
      Issue.record("a second call ahead")
      return
    }
    try client.send(Self.prefix + "Echo", TestService.Text(text: "c"))
    #expect(try client.receive() == TestService.Text(text: "c"))
    #expect(heard == [TestService.Text(text: "a"), nil])
  }

  @Test("A caller's mistake is reported as misuse, and the connection stays usable")
  func misuse() throws {
    let service = try TestService()
    let client = try service.client()
    guard case .misuse = error({ try client.send(Self.prefix + "Echo", [Double.nan]) }) else {
      Issue.record("parameters that are no object")
      return
    }
    try client.send(Self.prefix + "Echo", TestService.Text(text: "a"))
    guard case .misuse = error({ _ = try client.call(Self.prefix + "Refuse", as: NoParameters.self) }) else {
      Issue.record("a call before the earlier reply was taken")
      return
    }
    #expect(try client.receive() == TestService.Text(text: "a"))
  }

  @Test("A reply that is too late is a time-out and ends the connection")
  func timeout() throws {
    let service = try TestService()
    let client = try service.client()
    let name = TestService.Name(name: "a")
    guard
      case .timedOut = error({
        _ = try client.call(Self.prefix + "Hold", name, as: NoParameters.self, timeout: .milliseconds(10))
      })
    else {
      Issue.record("no time-out")
      return
    }
    guard case .disconnected = error({ _ = try client.call(Self.prefix + "Refuse", as: NoParameters.self) })
    else {
      Issue.record("still connected")
      return
    }
  }

  @Test(
    "An invalid or unexpected reply is a violation and ends the connection",
    arguments: [
      "hello", "[]", #"{"id":1}"#, #"{"parameters":1}"#, #"{"continues":true}"#,
      #"{"parameters":{"sum":"x"}}"#, "{}",
    ])
  func violation(_ reply: String) throws {
    var pair: [Int32] = [0, 0]
    try #require(socketpair(AF_UNIX, 1, 0, &pair) == 0)
    let server = RawClient(fd: pair[0])
    let client = VarlinkClient(descriptor: pair[1])
    server.send(reply)
    guard case .protocolViolation = error({ _ = try client.call("a.b.C", as: Sum.self) }) else {
      Issue.record("taken")
      return
    }
    #expect(server.receive() == .message(#"{"method":"a.b.C"}"#))
    #expect(server.receive() == .closed)
  }

  @Test("A server that left without answering differs from one that was never there")
  func gone() throws {
    var pair: [Int32] = [0, 0]
    try #require(socketpair(AF_UNIX, 1, 0, &pair) == 0)
    let client = VarlinkClient(descriptor: pair[1])
    close(pair[0])
    guard case .disconnected = error({ _ = try client.call("a.b.C", as: Sum.self) }) else {
      Issue.record("not disconnected")
      return
    }
    let directory = try TestDirectory()
    for (path, code) in [
      (directory.path + "/none", ENOENT), (String(repeating: "x", count: 108), ENAMETOOLONG),
    ] {
      guard case .unreachable(code, path) = error({ _ = try VarlinkClient(path: path) }) else {
        Issue.record("reached \(path)")
        continue
      }
    }
  }
}

@Suite struct UnixSocketTests {
  @Test("A server listens on several sockets, with the file mode asked for")
  func listens() throws {
    let directory = try TestDirectory()
    let service = try TestService()
    let paths = [directory.path + "/a", directory.path + "/b"]
    for path in paths { service.server.listen(on: try UnixSocket.listen(path: path)) }
    for path in paths {
      var status = stat()
      #expect(stat(path, &status) == 0)
      #expect(status.st_mode & 0o777 == 0o600)
      let client = try VarlinkClient(path: path)
      let _: NoParameters = try client.call("org.varlink.service.GetInfo")
    }
  }

  @Test("A path that exists, is too long or is empty is refused with its errno")
  func refused() throws {
    let directory = try TestDirectory()
    let fd = try UnixSocket.listen(path: directory.path + "/a")
    defer { close(fd) }
    func code(_ path: String) -> Int32? {
      do { close(try UnixSocket.listen(path: path)) } catch { return error.errno }
      return nil
    }
    #expect(code(directory.path + "/a") == EADDRINUSE)
    #expect(code("/tmp/" + String(repeating: "x", count: 103)) == ENAMETOOLONG)
    #expect(code("") == EINVAL)
    #expect(code(directory.path + "/none/a") == ENOENT)
  }
}
