import EggProtocol
import EggTime

/// The health of eggd, in words.
struct StatusText {
  let moments: Moments

  /// - Parameter ringing: How many alarms ring; nil if unknown.
  func text(_ reply: StatusReply, ringing: Int64?, colours: Bool) -> String {
    var fields = Fields()
    let age = SpanText.left(reply.now - reply.startedAt)
    let other = reply.version == Product.version ? "" : "; this eggctl is \(Product.version)"
    fields.add("eggd", "\(reply.version.visible), process \(reply.pid), running for \(age)\(other)")
    fields.add("schedule", AlarmText(moments: moments).totals(reply.totals))
    if let ringing, ringing > 0 { fields.add("ringing", counted(ringing, "alarm")) }
    fields.add("desktop", desktop(reply))
    fields.add("sound", sound(reply))
    let journal = reply.journal ? "accepts entries" : "no journald; rings are printed on eggd's stderr"
    fields.add("journal", journal)
    fields.add("database", reply.database.visible + note(on: reply.disk))
    fields.add("zone", reply.zone.visible)
    fields.add("lingering", lingering(reply.linger))
    fields.add("settings", reply.mistake.map { "\($0.description.visible); the file is not used" })
    return fields.text(colours: colours)
  }

  private func desktop(_ reply: StatusReply) -> String {
    switch reply.desktop {
    case .shown: "notifications are shown by \(reply.server?.visible ?? "an unnamed server")"
    case .noServer: "no notification server; rings are shown when one starts"
    case .noBus: "no session bus; rings are shown when there is one"
    case .other: "unknown to this eggctl"
    }
  }

  /// nil from an eggd that does not report it.
  private func sound(_ reply: StatusReply) -> String? {
    switch reply.sound {
    case .server?: "by the notification server"
    case .player?: "by libcanberra"
    case .nobody?: "none: \(reply.silence?.visible ?? "reason unknown")"
    case .other?: "unknown to this eggctl"
    case nil: nil
    }
  }

  private func note(on disk: DiskState) -> String {
    switch disk {
    case .writable: ""
    case .failing: " (the last change could not be stored; alarms ring)"
    case .readOnly: " (read-only; alarms ring, changes are refused)"
    case .unavailable: " (not available; alarms in memory ring, changes are refused)"
    case .other: " (in a state unknown to this eggctl)"
    }
  }

  private func lingering(_ linger: Bool?) -> String {
    switch linger {
    case true?: "on: eggd runs while you are logged out"
    case false?: "off: eggd ends when you log out; to keep it running: loginctl enable-linger"
    case nil: "unknown: without it eggd ends when you log out; to be sure: loginctl enable-linger"
    }
  }
}
