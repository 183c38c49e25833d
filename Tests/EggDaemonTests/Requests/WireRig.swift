import Alarms
import Dispatch
import EggProtocol
import EggTestSupport
import EggTime
import Glibc
import Synchronization
import Testing
import Varlink

@testable import EggDaemon
@testable import EggStore
@testable import Ringing

/// A server with a real database and real sockets, on a clock that stands still. The machine's zone is Paris;
/// the wall clock shows 2026-11-20 21:34:30 UTC.
final class WireRig: @unchecked Sendable {
  let clock = FakeClock()
  let store: AlarmStore
  let handler: RequestHandler
  private let queue = DispatchQueue(label: "wire")
  private let scheduler = SilentScheduler()
  private let server: VarlinkServer
  private let directory: String
  private let rings = Mutex<Int64>(0)

  /// Calls that were handled and are still retained.
  var heldCalls: Int { handled.all.count { $0.call != nil } }
  private let handled = Kept<HandledCall>()

  /// Subscribers.
  var subscriptions: Int { queue.sync { handler.feed.subscriptions.count } }

  private struct HandledCall: Sendable { weak var call: ServerCall? }

  /// The daemon's status, answered at once.
  static let plainStatus = StatusReply(
    version: "1", pid: 42, startedAt: Instant(microseconds: 7), desktop: .noServer, server: nil,
    journal: false, connections: 1, linger: nil, sound: .nobody, silence: "no ears")

  /// An empty schedule in a directory of its own.
  init(
    wakers: [String] = [],
    status: @escaping @Sendable (@escaping @Sendable (StatusReply) -> Void) -> Void = { $0(plainStatus) }
  ) throws {
    var template = Array("/tmp/eggd-wire.XXXXXX".utf8CString)
    try #require(mkdtemp(&template) != nil)
    directory = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let paris = MachineZone(
      ZoneSource(directory: "/usr/share/zoneinfo", link: "/etc/localtime", variable: "Europe/Paris"))
    store = try AlarmStore(
      directory: StateDirectory(path: directory), queue: DispatchQueue(label: "store"), clock: clock,
      bootID: "a boot", zone: paris, log: { _ in })
    handler = RequestHandler(
      queue: queue, store: store, clock: clock, machineZone: { paris.current }, wakers: wakers, status: status
    )
    let interface = try handler.interface()
    server = try VarlinkServer(
      queue: queue, service: ServiceIdentity(vendor: "eggd", product: "eggd", version: "1", url: ""),
      interfaces: [
        VarlinkInterface(text: interface.text) { [handled] call in
          handled.append(HandledCall(call: call))
          interface.handle(call)
        }
      ])
    store.start(observer: scheduler) { [handler] in handler.committed($0) }
    handler.beginWakes()
  }

  /// Closes the database and deletes the directory.
  deinit {
    let closed = Answer<Bool>()
    store.close { closed.give(true) }
    _ = closed.wait()
    if let listing = opendir(directory) {
      while let entry = readdir(listing) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) {
          $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        unlink("\(directory)/\(name)")
      }
      closedir(listing)
    }
    rmdir(directory)
  }

  /// A new connection.
  func connect() throws -> ScheduleClient {
    var ends: [Int32] = [-1, -1]
    try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
    server.adopt(connection: ends[0])
    return ScheduleClient(VarlinkClient(descriptor: ends[1]))
  }

  /// As a reload of config.toml does.
  func setDayAt(_ time: TimeOfDay) { queue.sync { handler.configuration.settings.dayAt = time } }

  /// Unanswered Wait calls.
  var waits: Int { queue.sync { handler.waits.waits.count } }

  /// Has the alarm ring on time and be recorded. `next` is a recurring alarm's next moment.
  func ring(_ number: Int64, next: DuePoint? = nil) throws {
    let alarm = try stored(number)
    let due = try #require(alarm.latest?.due ?? alarm.due)
    let now = clock.read()
    let wall = due.clock == .wall ? due.microseconds : due.microseconds + now.bootOffset
    let count = rings.withLock {
      $0 += 1
      return $0
    }
    let snoozed = alarm.latest?.due == nil ? nil : alarm.latest?.id
    let ring = RingRecord(
      occurrence: snoozed ?? now.wall.microseconds + count,
      key: EntryKey(number: number, occurrence: snoozed ?? 0), due: due,
      dueAt: Instant(microseconds: wall), firedAt: now.wall, lateness: .zero, reason: nil,
      next: next)
    store.record([ring])
    try #require(scheduler.waitUntilRecorded())
  }

  /// As stored.
  func stored(_ number: Int64) throws -> Alarm {
    let answer = Answer<Result<AlarmHistory, ChangeError>>()
    store.alarm(.number(number)) { answer.give($0) }
    return try #require(answer.wait()).get().alarm
  }
}

/// A scheduler that never rings.
private final class SilentScheduler: ScheduleObserver {
  private let recorded = DispatchSemaphore(value: 0)

  func hold(_ numbers: NumberSet, as hold: HoldID) -> [RingRecord] { [] }
  func takeUp(_ head: Refill) {}
  func unrecorded(_ numbers: NumberSet) -> [RingRecord] { [] }

  func deliver(_ news: StoreNews) {
    if case .recorded(_, stored: true) = news { recorded.signal() }
  }

  /// Waits for one answer to `record`.
  func waitUntilRecorded() -> Bool {
    recorded.wait(timeout: .now() + .seconds(Int(patience.components.seconds))) == .success
  }
}
