import EggProtocol
import EggTime
import Gettext

/// The health of eggd, in words.
struct StatusText {
  private let moments: Moments
  private var surroundings: Surroundings

  init(_ surroundings: Surroundings) throws {
    moments = try Moments(surroundings)
    self.surroundings = surroundings
    // What it says is eggd's; no other program is asked.
    self.surroundings.answer = { _ in nil }
  }

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
    fields.add(tr("desktop"), Finding.desktop(reply, surroundings).words)
    fields.add(tr("sound"), Finding.sound(reply, surroundings)?.words)
    fields.add(tr("wake"), wake(reply))
    fields.add(tr("journal"), Finding.journal(reply).words)
    fields.add(tr("database"), reply.database.visible + note(on: reply.disk))
    fields.add(tr("zone"), reply.zone.visible)
    fields.add(tr("lingering"), lingering(reply))
    fields.add(
      tr("settings"), reply.mistake.map { tr("\($0.description.visible); the file is not used") })
    return fields.text(width: width, colours: colours)
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

  private func lingering(_ reply: StatusReply) -> String {
    let finding = Finding.lingering(reply)
    guard let command = finding.command else { return finding.words }
    return tr("\(finding.words); to keep it running: \(surroundings.host?.hint(command) ?? command)")
  }
}
