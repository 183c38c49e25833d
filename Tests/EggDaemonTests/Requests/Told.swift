import Ringing
import EggProtocol
import EggTestSupport
import Glibc
import Testing

/// A stream of messages on its own connection.
final class Told<Call: ScheduleMethod> {
  let client: ScheduleClient
  private(set) var isAtEnd = false

  init(_ call: Call, of rig: WireRig) throws {
    client = try rig.connect()
    try client.begin(call)
  }

  /// The next message; nil, and an issue, if none comes.
  func next() throws -> (reply: Call.Reply, isLast: Bool)? {
    while true {
      if let taken = try client.takeArrived(of: Call.self) {
        isAtEnd = taken.isLast
        return taken
      }
      var entry = pollfd(fd: client.connection.descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&entry, 1, Int32(patience.components.seconds) * 1_000) == 1 else {
        Issue.record("nothing is told")
        return nil
      }
    }
  }
}
