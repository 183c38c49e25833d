import Alarms
import EggProtocol
import EggTime
import Gettext
import Varlink

/// A call to eggd that a key causes.
enum WatchRequest: Equatable {
  case schedule(expression: String, label: String?)
  /// A new time, a new label, or both.
  case edit(WatchedID, expression: String?, label: String?)
  case extend(WatchedID, TimeSpan)
  /// Into the group with that name; empty for no group.
  case group(WatchedID, String)
  case again(WatchedID)
  /// Asks for everything about the alarm.
  case show(WatchedID)
  case delete(WatchedID)
  case snooze(WatchedID)
  case dismiss(WatchedID)
  case pause(WatchedID)
  case resume(WatchedID)
  case markDone(WatchedID, Bool)
  /// Before or after the other alarm of the same machine.
  case move(WatchedID, ListPlace, Int64)
  /// Asks which change would be undone.
  case previewUndo
  /// Undoes that change.
  case undo(UndoReply)
  /// Redoes the last undone change.
  case redo
}

/// The outcome of a request.
struct WatchOutcome: Equatable {
  /// The message to the user.
  var notice: String?
  /// The alarm to put the cursor on.
  var number: Int64?
  /// The change to ask about.
  var undo: UndoReply?
  /// The alarm to show in full.
  var details: ShowReply?
}

extension WatchRequest {
  /// The machine of its alarm; nil if it names none.
  var host: UInt8? {
    switch self {
    case .edit(let id, _, _), .extend(let id, _), .group(let id, _), .again(let id), .show(let id),
      .delete(let id),
      .snooze(let id), .dismiss(let id), .pause(let id), .resume(let id), .markDone(let id, _),
      .move(let id, _, _):
      id.host
    case .schedule, .previewUndo, .undo, .redo: nil
    }
  }

  /// Whether it changes something.
  var isChange: Bool {
    switch self {
    case .show, .previewUndo: false
    default: true
    }
  }

  /// `zone` is the caller's.
  func send(on client: ScheduleClient, zone: String?) throws(ScheduleClientError) {
    switch self {
    case .schedule(let expression, let label):
      try client.send(ScheduleCall(expression: expression, zone: zone, label: label))
    case .edit(let id, let expression, let label):
      var call = EditCall(WireSelection(numbers: [id.number]))
      call.expression = expression
      call.zone = expression == nil ? nil : zone
      call.label = label
      try client.send(call)
    case .group(let id, let name):
      var call = EditCall(WireSelection(numbers: [id.number]))
      call.group = name
      try client.send(call)
    case .extend(let id, let span):
      try client.send(ExtendCall(WireSelection(numbers: [id.number]), span: span))
    case .again(let id): try client.send(AgainCall(number: id.number))
    case .show(let id): try client.send(ShowCall(number: id.number))
    case .delete(let id): try client.send(DeleteCall(WireSelection(numbers: [id.number])))
    case .snooze(let id): try client.send(SnoozeCall(WireSelection(numbers: [id.number])))
    case .dismiss(let id): try client.send(DismissCall(WireSelection(numbers: [id.number])))
    case .pause(let id): try client.send(PauseCall(WireSelection(numbers: [id.number])))
    case .resume(let id): try client.send(ResumeCall(WireSelection(numbers: [id.number])))
    case .markDone(let id, let done):
      try client.send(MarkDoneCall(WireSelection(numbers: [id.number]), done: done))
    case .move(let id, let place, let other):
      try client.send(MoveCall(WireSelection(numbers: [id.number]), place: place, other: other))
    case .previewUndo: try client.send(UndoCall(preview: true))
    case .undo(let change): try client.send(UndoCall(sequence: change.sequence))
    case .redo: try client.send(RedoCall())
    }
  }

  /// The outcome, once the reply has arrived.
  func outcome(on client: ScheduleClient) throws(ScheduleClientError) -> WatchOutcome? {
    switch self {
    case .schedule:
      guard let alarm = try client.takeArrived(of: ScheduleCall.self)?.reply.alarm else { return nil }
      return WatchOutcome(number: alarm.number)
    case .delete:
      guard let reply = try client.takeArrived(of: DeleteCall.self)?.reply else { return nil }
      let rang = reply.rang.isEmpty ? "" : tr(" · it had already rung")
      return WatchOutcome(notice: tr("deleted \(reply.deleted.numberList)\(rang)"))
    case .edit, .group: return try client.takeArrived(of: EditCall.self) == nil ? nil : WatchOutcome()
    case .extend: return try client.takeArrived(of: ExtendCall.self) == nil ? nil : WatchOutcome()
    case .again:
      return try client.takeArrived(of: AgainCall.self).map { WatchOutcome(number: $0.reply.alarm.number) }
    case .show: return try client.takeArrived(of: ShowCall.self).map { WatchOutcome(details: $0.reply) }
    case .snooze: return try client.takeArrived(of: SnoozeCall.self) == nil ? nil : WatchOutcome()
    case .dismiss: return try client.takeArrived(of: DismissCall.self) == nil ? nil : WatchOutcome()
    case .pause: return try client.takeArrived(of: PauseCall.self) == nil ? nil : WatchOutcome()
    case .resume: return try client.takeArrived(of: ResumeCall.self) == nil ? nil : WatchOutcome()
    case .markDone: return try client.takeArrived(of: MarkDoneCall.self) == nil ? nil : WatchOutcome()
    case .move: return try client.takeArrived(of: MoveCall.self) == nil ? nil : WatchOutcome()
    case .previewUndo: return try client.takeArrived(of: UndoCall.self).map { WatchOutcome(undo: $0.reply) }
    case .undo:
      return try client.takeArrived(of: UndoCall.self).map { _ in WatchOutcome(notice: tr("undone")) }
    case .redo:
      return try client.takeArrived(of: RedoCall.self).map { _ in WatchOutcome(notice: tr("redone")) }
    }
  }

  /// The state that the call needs.
  var precondition: String? {
    switch self {
    case .schedule, .edit, .group, .again, .show, .delete, .markDone, .move, .previewUndo, .undo, .redo: nil
    case .extend: tr("only countdowns, one-shots and snoozes can be extended")
    case .snooze: tr("only ringing alarms can be snoozed")
    case .dismiss: tr("only ringing or snoozed alarms can be dismissed")
    case .pause: tr("only waiting countdowns and recurring alarms can be paused")
    case .resume: tr("only paused alarms can be resumed")
    }
  }
}

extension ScheduleClient {
  /// Sends a call; `takeArrived` reads its reply.
  fileprivate func send(_ call: some ScheduleMethod) throws(ScheduleClientError) {
    do throws(VarlinkClientError) {
      try connection.send(type(of: call).qualifiedName, call)
    } catch {
      throw ScheduleClientError(error)
    }
  }
}
