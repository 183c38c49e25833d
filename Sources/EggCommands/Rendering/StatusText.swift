import EggProtocol
import EggTime
import Gettext

/// The health of eggd, in words.
struct StatusText {
  let moments: Moments
  /// The other machine that the status is of.
  var host: RemoteHost?

  /// - Parameters:
  ///   - ringing: How many alarms ring; nil if unknown.
  ///   - width: That of a line in cells, nil for any.
  func text(_ reply: StatusReply, ringing: Int64?, width: Int?, colours: Bool) -> String {
    var fields = Fields()
    let age = SpanText.left(reply.now - reply.startedAt)
    let other = reply.version == Product.version ? "" : tr("; this eggctl is \(Product.version)")
    fields.add(tr("eggd"), tr("\(reply.version.visible), process \(reply.pid), running for \(age)\(other)"))
    fields.add(tr("schedule"), AlarmText(moments: moments).totals(reply.totals))
    if let ringing, ringing > 0 { fields.add(tr("ringing"), Counted.alarms(ringing)) }
    fields.add(tr("desktop"), desktop(reply))
    fields.add(tr("sound"), sound(reply))
    fields.add(tr("wake"), wake(reply))
    let journal =
      reply.journal ? tr("accepts entries") : tr("no journald; rings are printed on eggd's stderr")
    fields.add(tr("journal"), journal)
    fields.add(tr("database"), reply.database.visible + note(on: reply.disk))
    fields.add(tr("zone"), reply.zone.visible)
    fields.add(tr("lingering"), lingering(reply.linger))
    fields.add(
      tr("settings"), reply.mistake.map { tr("\($0.description.visible); the file is not used") })
    return fields.text(width: width, colours: colours)
  }

  private func desktop(_ reply: StatusReply) -> String {
    switch reply.desktop {
    case .shown: tr("notifications are shown by \(reply.server?.visible ?? tr("an unnamed server"))")
    case .noServer: tr("no notification server; rings are shown when one starts")
    case .noBus: tr("no session bus; rings are shown when there is one")
    case .other: tr("unknown to this eggctl")
    }
  }

  /// nil from an eggd that does not report it.
  private func sound(_ reply: StatusReply) -> String? {
    switch reply.sound {
    case .server?: tr("by the notification server")
    case .player?: tr("by libcanberra")
    case .nobody?: tr("none: \(reply.silence.map { tr(received: $0).visible } ?? tr("reason unknown"))")
    case .other?: tr("unknown to this eggctl")
    case nil: nil
    }
  }

  /// nil while no alarm asks for it.
  private func wake(_ reply: StatusReply) -> String? {
    guard let state = reply.wake, let moment = reply.wakeAt.map(moments.text) else { return nil }
    guard let problem = state.problem else {
      return tr("this machine wakes from suspend for \(moment)")
    }
    return tr("this machine will not wake from suspend for \(moment): \(tr(received: problem))")
  }

  private func note(on disk: DiskState) -> String {
    switch disk {
    case .writable: ""
    case .failing: tr(" (the last change could not be stored; alarms ring)")
    case .readOnly: tr(" (read-only; alarms ring, changes are refused)")
    case .unavailable: tr(" (not available; alarms in memory ring, changes are refused)")
    case .other: tr(" (in a state unknown to this eggctl)")
    }
  }

  private var enabling: String {
    let command = "loginctl enable-linger"
    return host?.hint(command) ?? command
  }

  private func lingering(_ linger: Bool?) -> String {
    switch linger {
    case true?: tr("on: eggd runs while you are logged out")
    case false?: tr("off: eggd ends when you log out; to keep it running: \(enabling)")
    case nil: tr("unknown: without it eggd ends when you log out; to be sure: \(enabling)")
    }
  }
}
