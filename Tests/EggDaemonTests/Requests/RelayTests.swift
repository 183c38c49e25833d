import EggProtocol
import Testing
import Varlink

@testable import EggDaemon

@Suite("Calls from another machine")
struct RelayTests {
  @Test("Changes are told with where they come from, and those of other connections are not")
  func from() throws {
    let rig = try WireRig()
    let (near, far) = (try rig.connect(), try rig.connect())
    // Who is there cannot say something else.
    for from in ["192.0.2.7", "198.51.100.1"] {
      try far.connection.oneway(RelayCall.qualifiedName, RelayCall(from: from))
    }
    for client in [far, near] { _ = try client.call(ScheduleCall(expression: "5m")) }
    let own = try near.call(UndoCall()).client
    let other = try near.call(UndoCall()).client
    #expect(other == "\(own ?? "a program") from 192.0.2.7")
    _ = try near.call(ScheduleCall(expression: "5m"))
    _ = try near.call(RelayCall(from: "192.0.2.7"))
    _ = try near.call(ScheduleCall(expression: "5m"))
    #expect(try near.call(UndoCall()).client == own)
  }

  @Test("An address is short, and there is one", arguments: ["", String(repeating: "1", count: 256)])
  func refused(from: String) throws {
    let rig = try WireRig()
    let error = #expect(throws: ScheduleClientError.self) { try rig.connect().call(RelayCall(from: from)) }
    guard case .invalidParameter("from") = error else { return #expect(Bool(false), "\(error as Any)") }
  }
}
