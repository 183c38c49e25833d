import EggProtocol
import EggTime

/// How eggd is, in words.
struct StatusText {
  let moments: Moments

  /// Names and values under each other.
  func text(_ reply: StatusReply, colours: Bool) -> String {
    var fields = Fields()
    let age = SpanText.left(reply.now - reply.startedAt)
    let other = reply.version == Product.version ? "" : "; this eggctl is \(Product.version)"
    fields.add("eggd", "\(reply.version.visible), process \(reply.pid), running for \(age)\(other)")
    fields.add("schedule", AlarmText(moments: moments).totals(reply.totals))
    fields.add("desktop", desktop(reply))
    fields.add("sound", sound(reply))
    let journal = reply.journal ? "entries are taken" : "no journald: what rings goes to eggd's stderr"
    fields.add("journal", journal)
    fields.add("database", reply.database.visible + note(on: reply.disk))
    fields.add("zone", reply.zone.visible)
    fields.add("lingering", lingering(reply.linger))
    return fields.text(colours: colours)
  }

  private func desktop(_ reply: StatusReply) -> String {
    switch reply.desktop {
    case .shown: "notifications are shown by \(reply.server?.visible ?? "a nameless server")"
    case .noServer: "no notification server: what rings is kept and shown when one starts"
    case .noBus: "no session bus: what rings is kept and shown when there is one"
    case .other: "not known to this eggctl"
    }
  }

  /// nil from an eggd that does not tell.
  private func sound(_ reply: StatusReply) -> String? {
    switch reply.sound {
    case .server?: "by the notification server"
    case .player?: "by libcanberra"
    case .nobody?: "none: \(reply.silence?.visible ?? "not known why")"
    case .other?: "not known to this eggctl"
    case nil: nil
    }
  }

  private func note(on disk: DiskState) -> String {
    switch disk {
    case .writable: ""
    case .failing: " (the last change could not be stored: alarms ring)"
    case .readOnly: " (read-only: alarms ring, changes are refused)"
    case .unavailable: " (not available: what is in memory rings, changes are refused)"
    case .other: " (in a state that this eggctl does not know)"
    }
  }

  private func lingering(_ linger: Bool?) -> String {
    switch linger {
    case true?: "on: eggd runs while you are logged out"
    case false?: "off: eggd ends when you log out; to keep it: loginctl enable-linger"
    case nil: "not known: without it eggd ends when you log out; to be sure: loginctl enable-linger"
    }
  }
}
