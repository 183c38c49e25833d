import EggTestSupport
import Glibc
import LinuxIO
import Testing

@testable import Varlink

@Suite struct ServerTests {
  private func hold(_ name: String, _ flag: String? = nil) -> String {
    call("Hold", #"{"name":"\#(name)"}"#, flag)
  }

  private func held(_ name: String) -> RawClient.Received { .message(#"{"parameters":{"name":"\#(name)"}}"#) }

  @Test("Replies are sent in the order of the calls, whatever order they are made in")
  func order() throws {
    let service = try TestService()
    let client = try service.connect()
    client.send(hold("a"), hold("b"), echo("c"), hold("d"), call("Refuse"))
    service.release("d")
    service.release("b")
    service.release("a")
    #expect(client.receive() == held("a"))
    #expect(client.receive() == held("b"))
    #expect(client.receive() == echoReply("c"))
    #expect(client.receive() == held("d"))
    #expect(
      client.receive() == .message(#"{"error":"org.example.test.Refused","parameters":{"reason":"no"}}"#))
  }

  @Test("A call does not begin during an earlier stream")
  func stream() throws {
    let service = try TestService()
    let client = try service.connect()
    client.send(hold("s", "more"), hold("later"), echo("z"))
    service.release("s", continues: true)
    #expect(client.receive() == .message(#"{"parameters":{"name":"s"},"continues":true}"#))
    #expect(service.heldNames == ["s"])
    service.release("s")
    #expect(client.receive() == held("s"))
    service.release("later")
    #expect(client.receive() == held("later"))
    #expect(client.receive() == echoReply("z"))
  }

  @Test("Every reply of a stream but the last sets continues")
  func count() throws {
    let service = try TestService()
    let client = try service.connect()
    client.send(call("Count", #"{"to":3}"#, "more"))
    #expect(client.receive() == .message(#"{"parameters":{"number":1},"continues":true}"#))
    #expect(client.receive() == .message(#"{"parameters":{"number":2},"continues":true}"#))
    #expect(client.receive() == .message(#"{"parameters":{"number":3}}"#))
  }

  @Test("A call released without an answer fails, and later calls continue")
  func forgotten() throws {
    let service = try TestService()
    let client = try service.connect()
    client.send(call("Forget"), echo("next"))
    #expect(
      client.receive()
        == .message(
          #"{"error":"org.varlink.service.MethodNotImplemented","parameters":{"method":"org.example.test.Forget"}}"#
        ))
    #expect(client.receive() == echoReply("next"))
  }

  @Test("Reading pauses at 64 calls in flight and resumes as they are answered")
  func inFlight() throws {
    let service = try TestService()
    let client = try service.connect()
    for number in 1...70 { client.send(hold("\(number)")) }
    let filled: Bool? = eventually { service.heldNames.count == 64 ? true : nil }
    #expect(filled == true)
    // The queue has finished its work: still no more than 64.
    #expect(service.heldNames.count == 64)
    for number in 1...70 { service.release("\(number)") }
    for number in 1...70 { #expect(client.receive() == held("\(number)")) }
  }

  @Test("When a client leaves, its calls are told and its connection is forgotten")
  func leaving() throws {
    let service = try TestService()
    let client = try service.connect()
    client.send(hold("plain"), hold("stream", "more"))
    let begun: Bool? = eventually { service.heldNames == ["plain", "stream"] ? true : nil }
    #expect(begun == true)
    client.close()
    let told: Bool? = eventually { service.closedNames == ["plain", "stream"] ? true : nil }
    #expect(told == true)
    #expect(service.connectionCount == 0)
  }

  @Test("A client that has stopped sending is answered, then closed")
  func halfClosed() throws {
    let service = try TestService()
    let client = try service.connect()
    client.send(hold("a"), echo("b"))
    client.finish()
    service.release("a")
    #expect(client.receive() == held("a"))
    #expect(client.receive() == echoReply("b"))
    #expect(client.receive() == .closed)
  }

  @Test(
    "A client that calls and leaves at once has its calls handled, then is forgotten",
    arguments: [1, 16, 3_000])
  func leavingAtOnce(calls: Int) throws {
    let service = try TestService()
    let client = try service.connect()
    let call = Array(call("Echo", #"{"text":"x"}"#, "oneway").utf8) + [0]
    // The last calls are still in the socket when the client is gone: more than one read takes.
    client.send(Array(repeatElement(call, count: calls).joined()))
    client.close()
    let heard: Bool? = eventually { service.onewayTexts.count == calls ? true : nil }
    #expect(heard == true, "\(service.onewayTexts.count) of \(calls)")
    let forgotten: Bool? = eventually { service.connectionCount == 0 ? true : nil }
    #expect(forgotten == true)
  }

  @Test("A client that leaves in the middle of a message is forgotten")
  func leavingAmidst() throws {
    let service = try TestService()
    let client = try service.connect()
    client.send([UInt8](repeating: 0x20, count: 150_000), within: .milliseconds(200))
    client.close()
    let forgotten: Bool? = eventually { service.connectionCount == 0 ? true : nil }
    #expect(forgotten == true)
  }

  @Test("A client that does not read 4 MiB of replies is closed")
  func unsent() throws {
    let service = try TestService()
    let client = try service.connect()
    for _ in 0..<60 { client.send(call("Text", #"{"bytes":100000}"#)) }
    let closed: Bool? = eventually { service.connectionCount == 0 ? true : nil }
    #expect(closed == true)
  }

  @Test("A slow client gets a large reply whole, and waiters for room are told")
  func slowReader() throws {
    let service = try TestService()
    let client = try service.connect()
    client.send(call("Text", #"{"bytes":3000000}"#), hold("wait"))
    service.withHeld("wait") { call in
      guard call.unsentBytes > 1_000_000 else { return call.fail(.expectedMore) }
      call.whenUnsent(atMost: 0) { call.reply(TestService.Name(name: "room")) }
    }
    guard case .message(let text) = client.receive() else {
      Issue.record("no reply")
      return
    }
    #expect(text.utf8.count == 3_000_000 + #"{"parameters":{"text":""}}"#.utf8.count)
    #expect(client.receive() == held("room"))
  }

  @Test("Another user's connection is closed at once, after the policy was asked about it")
  func otherUser() throws {
    let service = try TestService(admits: { $0.uid != geteuid() || $0.pid != getpid() })
    let client = try service.connect()
    #expect(client.receive() == .closed)
    #expect(!PeerCredentials.isOurUser(PeerCredentials(pid: 1, uid: geteuid() + 1)))
    #expect(PeerCredentials.isOurUser(PeerCredentials(pid: 1, uid: geteuid())))
  }

  @Test("org.varlink.service lists what is served")
  func introspection() throws {
    struct Info: Decodable {
      var vendor: String, product: String, version: String, url: String, interfaces: [String]
    }
    let client = try TestService().retained { try $0.client() }
    let info: Info = try client.value.call("org.varlink.service.GetInfo")
    #expect([info.vendor, info.product, info.version, info.url] == ["V", "P", "1", "u"])
    #expect(info.interfaces == ["org.varlink.service", "org.example.test"])
    for (name, text) in [
      "org.example.test": TestService.text, "org.varlink.service": ServiceIdentity.interfaceText,
    ] {
      let reply: [String: String] = try client.value.call(
        "org.varlink.service.GetInterfaceDescription", ["interface": name])
      #expect(reply == ["description": text])
    }
  }
}

/// A client and the service that it needs.
struct Retained<Value> {
  let service: TestService
  let value: Value
}

extension TestService {
  func retained<Value>(_ make: (TestService) throws -> Value) rethrows -> Retained<Value> {
    Retained(service: self, value: try make(self))
  }
}
