import EggProtocol
import EggStore
import EggTime
import Glibc
import Varlink

/// The daemon's own part of Status.
package struct DaemonStatus: Sendable {
  package var version: String
  package var pid: Int32
  package var startedAt: Instant
  package var desktop: DesktopState
  /// The notification server's name and version; nil for none.
  package var server: String?
  /// Whether journald takes entries.
  package var journal: Bool
  package var connections: Int
  /// Whether the user lingers; nil if unknown.
  package var linger: Bool?
  /// Who makes a ring heard, and why nobody does.
  package var sound: SoundState
  package var silence: String?
}

/// Verbs about eggd itself.
extension RequestHandler {
  func reportStatus(_ call: ServerCall) {
    // The daemon may be slow to answer; this must not delay other reads.
    status { [self] daemon in
      queue.async { [self] in
        wakes.whenSettled { [self] in reportStatus(call, daemon, WakeState(wakes.state), wakes.moment) }
      }
    }
  }

  private func reportStatus(
    _ call: ServerCall, _ daemon: DaemonStatus, _ wake: WakeState?, _ wakeAt: Instant?
  ) {
    reads.take(for: call) { [self] done in
      store.ask({ try $0.list(ListQuery(limit: 1)) }) { [self] result in
        queue.async { [self] in
          call.reply(statusReply(daemon, try? result.get(), wake, wakeAt))
          done()
        }
      }
    }
  }

  /// Without totals if the store cannot be read; `disk` reports that.
  private func statusReply(
    _ daemon: DaemonStatus, _ page: ListPage?, _ wake: WakeState?, _ wakeAt: Instant?
  ) -> StatusReply {
    let disk: DiskState =
      switch store.condition {
      case .writable: store.isFailing ? .failing : .writable
      case .readOnly: .readOnly
      case .unavailable: .unavailable
      }
    return StatusReply(
      version: daemon.version, pid: Int64(daemon.pid), startedAt: daemon.startedAt, now: clock.read().wall,
      sequence: store.sequence,
      totals: Totals(page?.totals), desktop: daemon.desktop,
      server: daemon.server, journal: daemon.journal, disk: page == nil ? .unavailable : disk,
      database: store.path, zone: machineZone().identifier, connections: Int64(daemon.connections),
      linger: daemon.linger, sound: daemon.sound, silence: daemon.silence, wake: wake, wakeAt: wakeAt,
      mistake: configuration.mistake)
  }

  func reportConfiguration(_ call: ServerCall) { call.reply(ConfigReply(configuration)) }

  func reload(_ call: ServerCall) {
    reload { [self] in
      if let mistake = configuration.mistake {
        call.fail(ScheduleError.invalidConfiguration(mistake).failure)
      } else {
        call.reply(ConfigReply(configuration))
      }
    }
  }
}

extension WakeState {
  /// As the wire has it; nil where no alarm asks for it.
  fileprivate init?(_ state: Wakes.State) {
    switch state {
    case .notNeeded: return nil
    case .ready: self = .ready
    case .nobody: self = .nobody
    case .noAnswer, .asked: self = .noAnswer
    case .notPermitted: self = .notPermitted
    case .noClock: self = .noClock
    }
  }
}

/// Whether the user's services keep running after logout, loginctl(1).
package enum Lingering {
  /// nil if logind does not run.
  package static func isOn(uid: uid_t = getuid()) -> Bool? {
    guard access("/run/systemd/system", F_OK) == 0, let entry = getpwuid(uid) else { return nil }
    return access("/var/lib/systemd/linger/" + String(cString: entry.pointee.pw_name), F_OK) == 0
  }
}
