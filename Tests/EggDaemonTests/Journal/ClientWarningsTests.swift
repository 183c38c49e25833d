import EggTestSupport
import EggTime
import Glibc
import LinuxIO
import Synchronization
import Testing

@testable import EggDaemon

@Suite struct ClientWarningsTests {
  @Test("Clients that were cut off have one entry a minute")
  func limited() {
    let clock = FakeClock()
    let events = Mutex<[JournalEvent]>([])
    let warnings = ClientWarnings(clock: clock) { event in events.withLock { $0.append(event) } }
    let other = PeerCredentials(pid: 7, uid: geteuid() + 1)
    let own = PeerCredentials(pid: 8, uid: geteuid())
    for _ in 1...500 { warnings.tell(other) }
    warnings.tell(own)
    #expect(
      events.withLock { $0 } == [.clientCutOff(pid: 7, uid: geteuid() + 1, isOurs: false)])
    clock.advance(.seconds(60))
    warnings.tell(own)
    warnings.tell(other)
    #expect(
      events.withLock { $0.dropFirst() } == [.clientCutOff(pid: 8, uid: geteuid(), isOurs: true)])
  }

  @Test("The entry says whether the client was another user's")
  func words() {
    #expect(
      JournalEvent.clientCutOff(pid: 1, uid: 2, isOurs: false).record.message
        == "Refused a client of another user")
    #expect(
      JournalEvent.clientCutOff(pid: 1, uid: 2, isOurs: true).record.message
        == "Closed a client's connection to make room")
  }
}
