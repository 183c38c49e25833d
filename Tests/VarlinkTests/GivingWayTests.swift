import EggTestSupport
import Glibc
import Synchronization
import Testing

@testable import Varlink

@Suite struct GivingWayTests {
  private static func limits(_ change: (inout ServerLimits) -> Void) -> ServerLimits {
    var limits = ServerLimits.standard
    change(&limits)
    return limits
  }

  private func isServed(_ client: RawClient) -> Bool {
    client.send(echo("there"))
    return client.receive() == echoReply("there")
  }

  private func holding(
    _ number: UInt64, process: Int32 = 1, _ occupation: Occupation, lastActive: UInt64 = 0, bytes: Int = 0
  ) -> Holding {
    Holding(
      id: ConnectionID(number: number), process: process, occupation: occupation, lastActive: lastActive,
      bytes: bytes)
  }

  @Test("Idle connections give way before waiting ones, and waiting ones before busy ones")
  func occupations() {
    let all = [holding(1, .busy), holding(2, .waiting), holding(3, .idle, lastActive: 9)]
    #expect(all.toMakeRoom?.number == 3)
    #expect(Array(all.prefix(2)).toMakeRoom?.number == 2)
    #expect(Array(all.prefix(1)).toMakeRoom?.number == 1)
    #expect([Holding]().toMakeRoom == nil)
  }

  @Test("The idle connection silent for longest gives way, or the newest waiting one")
  func order() {
    let idle = [holding(1, .idle, lastActive: 7), holding(2, .idle, lastActive: 5)]
    #expect(idle.toMakeRoom?.number == 2)
    let waiting = [holding(1, .waiting, lastActive: 5), holding(2, .waiting, lastActive: 7)]
    #expect(waiting.toMakeRoom?.number == 2)
  }

  @Test(
    "The process that holds most gives way, whatever the age or size of single connections"
  )
  func processes() {
    let person = holding(1, process: 1, .idle, lastActive: 1, bytes: 50)
    let crowd = (2...4).map { holding($0, process: 2, .idle, lastActive: $0, bytes: 10 + Int($0) * 5) }
    #expect(([person] + crowd).toMakeRoom?.number == 2)
    #expect(([person] + crowd).toFreeMemory?.number == 4)
  }

  @Test("A client that dies while it waits for a reply is dropped")
  func deadHalfClosed() throws {
    let service = try TestService()
    let client = try service.connect()
    client.send(call("Hold", #"{"name":"never"}"#))
    client.finish()
    let begun: Bool? = eventually { service.heldNames == ["never"] ? true : nil }
    #expect(begun == true)
    client.close()
    let gone: Bool? = eventually { service.connectionCount == 0 ? true : nil }
    #expect(gone == true)
    #expect(service.closedNames == ["never"])
  }

  @Test("A client that dies with more unread than is read ahead is dropped")
  func deadBehindPipeline() throws {
    let service = try TestService(limits: Self.limits { $0.bytesPerTurn = 4_096 })
    let client = try service.connect()
    client.send(call("Hold", #"{"name":"never"}"#, "more"))
    client.send([UInt8](repeating: UInt8(ascii: " "), count: 100_000), within: .milliseconds(500))
    service.withHeld("never") { _ in }
    client.close()
    let gone: Bool? = eventually { service.connectionCount == 0 ? true : nil }
    #expect(gone == true)
  }

  @Test("A client that has stopped sending still gets its reply")
  func livingHalfClosed() throws {
    let service = try TestService()
    let client = try service.connect()
    client.send(call("Hold", #"{"name":"later"}"#))
    client.finish()
    service.release("later")
    #expect(client.receive() == .message(#"{"parameters":{"name":"later"}}"#))
    #expect(client.receive() == .closed)
  }

  @Test("With all slots taken, an idle client gives way to a new one, then a waiting one")
  func slots() throws {
    let gaveWay = Mutex(0)
    let service = try TestService(
      limits: Self.limits { $0.connections = 2 }, yielded: { _ in gaveWay.withLock { $0 += 1 } })
    let waiting = try service.connect()
    waiting.send(call("Hold", #"{"name":"event"}"#, "more"))
    service.withHeld("event") { $0.awaitEvent() }
    let idle = try service.connect()
    #expect(isServed(idle))
    let first = try service.connect()
    #expect(isServed(first))
    #expect(idle.receive() == .closed)
    first.send(call("Hold", #"{"name":"second"}"#, "more"))
    service.withHeld("second") { $0.awaitEvent() }
    let second = try service.connect()
    #expect(isServed(second))
    #expect(first.receive() == .closed)
    service.release("event")
    #expect(waiting.receive() == .message(#"{"parameters":{"name":"event"}}"#))
    #expect(gaveWay.withLock { $0 } == 2)
  }

  @Test("A client can tell that its connection gave way")
  func clientNotices() throws {
    let service = try TestService(limits: Self.limits { $0.connections = 1 })
    let client = try service.client()
    let _: TestService.Text = try client.call("org.example.test.Echo", TestService.Text(text: "a"))
    #expect(!client.hasEnded)
    let other = try service.connect()
    #expect(isServed(other))
    #expect(client.hasEnded)
  }

  @Test("With all slots taken, a stream can begin")
  func streamInFullTable() throws {
    let service = try TestService(limits: Self.limits { $0.connections = 1 })
    let idle = try service.connect()
    #expect(isServed(idle))
    let client = try service.connect()
    client.send(call("Count", #"{"to":1}"#, "more"))
    #expect(client.receive() == .message(#"{"parameters":{"number":1}}"#))
  }

  @Test(
    "Total memory is bounded: the largest holder is closed and the others are served",
    arguments: ["partial message", "unread reply", "kept by a call"])
  func memory(_ kind: String) throws {
    let gaveWay = Mutex(0)
    let service = try TestService(
      limits: Self.limits { $0.heldBytes = 2 << 20 },
      yielded: { _ in gaveWay.withLock { $0 += 1 } })
    let small = try service.connect()
    small.send(Array(#"{"method":"org.example.test.Echo","parameters":{"text":"#.utf8))
    var large: [RawClient] = []
    for number in 1...4 {
      let client = try service.connect()
      large.append(client)
      switch kind {
      case "partial message": client.send([UInt8](repeating: UInt8(ascii: " "), count: 900_000))
      case "unread reply": client.send(call("Text", #"{"bytes":1500000}"#))
      default:
        client.send(call("Hold", #"{"name":"\#(number)"}"#, "more"))
        service.withHeld("\(number)") { $0.keep(bytes: 900_000) }
      }
    }
    let closed: Bool? = eventually { service.connectionCount < 5 ? true : nil }
    #expect(closed == true)
    #expect(gaveWay.withLock { $0 } > 0)
    small.send(Array(#""there"}}"#.utf8) + [0])
    #expect(small.receive() == echoReply("there"))
    withExtendedLifetime(large) {}
  }

  @Test("Released memory no longer counts")
  func freed() throws {
    let gaveWay = Mutex(0)
    let service = try TestService(
      limits: Self.limits { $0.heldBytes = 2 << 20 },
      yielded: { _ in gaveWay.withLock { $0 += 1 } })
    let client = try service.connect()
    for _ in 1...20 {
      client.send(call("Text", #"{"bytes":500000}"#))
      guard case .message(let reply) = client.receive() else {
        Issue.record("no reply")
        return
      }
      #expect(reply.utf8.count > 500_000)
      let other = try service.connect()
      other.send([UInt8](repeating: UInt8(ascii: " "), count: 500_000))
      other.close()
      let gone: Bool? = eventually { service.connectionCount == 1 ? true : nil }
      #expect(gone == true)
    }
    #expect(gaveWay.withLock { $0 } == 0)
  }
}
