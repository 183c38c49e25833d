import EggStore
import EggTestSupport
import EggTime
import LinuxIO
import Synchronization
import Testing
import Varlink

@testable import EggDaemon

@Suite struct ClientWarningsTests {
  private let peer = PeerCredentials(pid: 7, uid: 1_000, gid: 1_000)

  @Test("Each kind of warning is limited to ten an hour, and the next one counts those left out")
  func limited() {
    let clock = FakeClock()
    let events = Mutex<[JournalEvent]>([])
    let warnings = ClientWarnings(clock: clock) { event in events.withLock { $0.append(event) } }
    for _ in 1...500 { warnings.refused(peer) }
    #expect(events.withLock { $0 } == Array(repeating: .peerRefused(uid: 1_000, untold: 0), count: 10))
    warnings.yielded(.memory, peer)
    #expect(events.withLock { $0.last } == .memoryFull(pid: 7, untold: 0))
    clock.advance(.seconds(3_600))
    warnings.refused(peer)
    warnings.refused(peer)
    #expect(
      events.withLock { $0.suffix(2) }
        == [.peerRefused(uid: 1_000, untold: 490), .peerRefused(uid: 1_000, untold: 0)])
  }

  @Test("A warning counts those left out, if any")
  func words() {
    #expect(
      JournalEvent.peerRefused(uid: 1, untold: 0).record.message == "Refused a connection of another user")
    #expect(
      JournalEvent.peerRefused(uid: 1, untold: 2).record.message
        == "Refused a connection of another user; 2 more since the last entry")
  }
}
