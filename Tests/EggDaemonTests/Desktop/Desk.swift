import EggStore
import Alarms
import Dispatch
import EggProtocol
import EggTestSupport
import EggTime
import Ringing
import Synchronization

@testable import EggDaemon

/// A notifier under test on its own bus, with its reports.
final class Desk: Sendable {
  let queue = DispatchQueue(label: "scheduler")
  let clock = FakeClock()
  private let notifier: DesktopNotifier
  private let record = Record()

  private final class Record: Sendable {
    let told = Mutex<[NotifierReport]>([])
    let logged = Mutex<[JournalEvent]>([])
  }

  /// `player`: what stands for eggd-sound; without it no ring is heard.
  init(environment: [String: String], player: String? = nil, sound settings: SoundSettings = SoundSettings())
  {
    let sound = player.map { [record, queue, clock] player in
      RingSound(
        player: SoundPlayer(program: player, environment: ["PATH": "/usr/bin:/bin"]),
        settings: settings, queue: queue, clock: clock,
        log: { event in record.logged.withLock { $0.append(event) } })
    }
    notifier = DesktopNotifier(
      queue: queue, clock: clock, environment: environment, wording: .plain, sound: sound,
      log: { [record] event in record.logged.withLock { $0.append(event) } },
      report: { [record] report in record.told.withLock { $0.append(report) } })
    on { $0.start() }
  }

  deinit { on { $0.stop() } }

  /// Calls the notifier on its queue.
  @discardableResult
  func on<Value: Sendable>(_ body: (DesktopNotifier) -> Value) -> Value { queue.sync { body(notifier) } }

  var reports: [NotifierReport] { record.told.withLock { $0 } }
  var events: [JournalEvent] { record.logged.withLock { $0 } }
  var part: DesktopState { on { $0.state } }

  /// The first `count` reports, once there are that many.
  func reports(_ count: Int) -> [NotifierReport]? {
    eventually { reports.count >= count ? reports : nil }
  }

  /// Waits for that state of the desktop.
  func reaches(_ part: DesktopState) -> Bool {
    eventually { self.part == part ? true : nil } ?? false
  }
}

extension NotificationReceiver {
  /// All Notify calls, once there are `count`.
  func notifications(_ count: Int) -> [Notification]? {
    eventually { notifications.count >= count ? notifications : nil }
  }

  /// All ids of CloseNotification, once there are `count`.
  func closed(_ count: Int) -> [UInt32]? { eventually { closed.count >= count ? closed : nil } }
}
