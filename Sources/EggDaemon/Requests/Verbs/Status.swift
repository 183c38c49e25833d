import EggProtocol
import EggStore
import EggTime
import Glibc
import Varlink

/// Verbs about eggd itself.
extension RequestHandler {
  func reportStatus(_ call: ServerCall) {
    // The daemon may be slow to answer; this must not delay other reads.
    status { [self] daemon in
      queue.async { [self] in
        wakes.whenSettled { [self] in
          var reply = daemon
          reply.wake = wakes.state
          reply.wakeAt = wakes.moment
          report(reply, to: call)
        }
      }
    }
  }

  /// Without totals if the store cannot be read; `disk` reports that.
  private func report(_ daemon: StatusReply, to call: ServerCall) {
    reads.read(for: call, { try $0.list(ListQuery(limit: 1)) }) { [self] result in
      var reply = daemon
      reply.now = clock.read().wall
      reply.sequence = store.sequence
      if let page = try? result.get() {
        reply.totals = Totals(page.totals)
        reply.disk =
          switch store.condition {
          case .writable: store.isFailing ? .failing : .writable
          case .readOnly: .readOnly
          case .unavailable: .unavailable
          }
      }
      reply.database = store.path
      reply.zone = machineZone().identifier
      reply.mistake = configuration.mistake
      call.reply(reply)
    }
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

/// Whether the user's services keep running after logout, loginctl(1).
enum Lingering {
  /// nil if logind does not run.
  static func isOn() -> Bool? {
    guard access("/run/systemd/system", F_OK) == 0, let entry = getpwuid(getuid()) else { return nil }
    return access("/var/lib/systemd/linger/" + String(cString: entry.pointee.pw_name), F_OK) == 0
  }
}
