import EggTestSupport
import Glibc
import Synchronization
import Testing

@testable import Varlink

@Suite struct ServerLimitTests {
  private static func limits(_ change: (inout ServerLimits) -> Void) -> ServerLimits {
    var limits = ServerLimits.standard
    change(&limits)
    return limits
  }

  private func isOpen(_ client: RawClient) -> Bool {
    client.send(echo("open"))
    return client.receive() == echoReply("open")
  }

  @Test("Stopping answers calls in flight, cuts off streams, takes no new calls, then closes")
  func stopping() throws {
    let service = try TestService()
    let stopped = Mutex(false)
    let client = try service.connect()
    let streamer = try service.connect()
    let idle = try service.connect()
    let name = #"{"name":"stream"}"#
    streamer.send(call("Hold", name, "more"))
    service.release("stream", continues: true)
    #expect(streamer.receive() == .message(#"{"parameters":\#(name),"continues":true}"#))
    client.send(call("Hold", #"{"name":"a"}"#))
    service.withHeld("a") { call in
      service.server.stop(grace: .seconds(600)) { stopped.withLock { $0 = true } }
      // Stopped from the queue itself: begins after this.
      service.queue.async {
        service.queue.async { call.reply(TestService.Name(name: "late")) }
      }
    }
    #expect(client.receive() == .message(#"{"parameters":{"name":"late"}}"#))
    for client in [client, streamer, idle] { #expect(client.receive() == .closed) }
    let done: Bool? = eventually { stopped.withLock { $0 } ? true : nil }
    #expect(done == true)
    #expect(try service.connect().receive() == .closed)
  }

  @Test("Stopping drops calls that await an event and closes their connections")
  func stoppingEvents() throws {
    let service = try TestService()
    let stopped = Mutex(false)
    let client = try service.connect()
    client.send(call("Hold", #"{"name":"event"}"#, "more"))
    service.withHeld("event") { $0.awaitEvent() }
    service.server.stop(grace: .seconds(600)) { stopped.withLock { $0 = true } }
    #expect(client.receive() == .closed)
    let done: Bool? = eventually { stopped.withLock { $0 } ? true : nil }
    #expect(done == true)
    #expect(service.closedNames == ["event"])
  }

  @Test("Connections with unanswered calls are closed after the grace period")
  func grace() throws {
    let service = try TestService()
    let stopped = Mutex(false)
    let client = try service.connect()
    client.send(call("Hold", #"{"name":"forever"}"#))
    let begun: Bool? = eventually { service.heldNames == ["forever"] ? true : nil }
    #expect(begun == true)
    service.server.stop(grace: .milliseconds(10)) { stopped.withLock { $0 = true } }
    #expect(client.receive() == .closed)
    let done: Bool? = eventually { stopped.withLock { $0 } ? true : nil }
    #expect(done == true)
  }

  @Test("Hundreds of silent, slow, unreading and flooding clients do not keep another from its reply")
  func crowd() throws {
    let service = try TestService()
    var crowd = try (0..<200).map { _ in try service.connect() }
    let costly = Array(
      call("Sum", #"{"numbers":[\#(Array(repeating: "1", count: 20_000).joined(separator: ","))]}"#).utf8)
    let flood = [UInt8]((0..<2_000).flatMap { Array(echo("\($0)").utf8) + [0] })
    for (index, client) in crowd.enumerated() {
      switch index % 4 {
      case 0: break
      case 1: client.send([UInt8(ascii: "{")])
      case 2: client.send(flood, within: .zero)
      default: client.send(costly + [0] + costly + [0] + costly + [0], within: .zero)
      }
    }
    let person = try service.connect()
    for number in 1...20 {
      for (index, client) in crowd.enumerated() where index % 4 == 1 { client.send([UInt8(ascii: " ")]) }
      for (index, client) in crowd.enumerated() where index % 4 == 2 { client.send(flood, within: .zero) }
      person.send(echo("person \(number)"))
      #expect(person.receive() == echoReply("person \(number)"))
    }
    crowd = []
    let left: Bool? = eventually { service.connectionCount == 1 ? true : nil }
    #expect(left == true)
  }
}
