import EggProtocol
import EggTime
import Gettext

/// A call to eggd that a key causes.
enum WatchRequest: Equatable {
  case schedule(expression: String, label: String?, moments: MomentWords? = nil)
  /// A new time, a new label, other rings or days off, or several of these.
  case edit(WatchedID, expression: String?, label: String?, moments: MomentWords? = nil)
  case extend(WatchedID, TimeSpan)
  /// Into the group with that name; empty for no group.
  case group(WatchedID, String)
  case again(WatchedID)
  /// Asks for everything about the alarm.
  case show(WatchedID)
  case delete(WatchedID)
  /// Asks how long a snooze may last.
  case snoozeLengths(WatchedID)
  /// nil for the usual length.
  case snooze(WatchedID, SnoozeWords?)
  case dismiss(WatchedID)
  case pause(WatchedID)
  case resume(WatchedID)
  case markDone(WatchedID, Bool)
  /// Before or after the other alarm of the same machine.
  case move(WatchedID, ListPlace, Int64)
  case previewUndo
  case undo(UndoReply)
  /// Redoes the last undone change.
  case redo
}

struct WatchOutcome: Equatable {
  var notice: String?
  /// The alarm to put the cursor on.
  var number: Int64?
  /// The change to ask about.
  var undo: UndoReply?
  var details: ShowReply?
  var snooze: SnoozeOffer?
}

/// The lengths that config.toml has for the snooze of an alarm.
struct SnoozeOffer: Equatable {
  var id: WatchedID
  var lengths: [String]
}

extension WatchRequest {
  /// The machine of its alarm; nil if it names none.
  var host: UInt8? {
    switch self {
    case .edit(let id, _, _, _), .extend(let id, _), .group(let id, _), .again(let id), .show(let id),
      .delete(let id),
      .snoozeLengths(let id), .snooze(let id, _), .dismiss(let id), .pause(let id), .resume(let id),
      .markDone(let id, _),
      .move(let id, _, _):
      id.host
    case .schedule, .previewUndo, .undo, .redo: nil
    }
  }

  var isChange: Bool {
    switch self {
    case .show, .snoozeLengths, .previewUndo: false
    default: true
    }
  }

  /// `zone` is the caller's.
  func call(zone: String?) -> any ScheduleMethod {
    switch self {
    case .schedule(let expression, let label, let moments):
      return ScheduleCall(
        expression: expression, zone: zone, label: label, leads: moments?.withMoment,
        except: moments?.exceptions, onlyOn: moments?.onlyDays)
    case .edit(let id, let expression, let label, let moments):
      var call = EditCall(WireSelection(numbers: [id.number]))
      call.expression = expression
      call.zone = expression == nil ? nil : zone
      call.label = label
      call.leads = moments?.withMoment
      call.except = moments?.exceptions
      call.onlyOn = moments?.onlyDays
      return call
    case .group(let id, let name):
      var call = EditCall(WireSelection(numbers: [id.number]))
      call.group = name
      return call
    case .extend(let id, let span): return ExtendCall(WireSelection(numbers: [id.number]), span: span)
    case .again(let id): return AgainCall(number: id.number)
    case .show(let id): return ShowCall(number: id.number)
    case .delete(let id): return DeleteCall(WireSelection(numbers: [id.number]))
    case .snoozeLengths: return ConfigCall()
    case .snooze(let id, let words):
      let selection = WireSelection(numbers: [id.number])
      return words?.call(selection, zone: zone) ?? SnoozeCall(selection)
    case .dismiss(let id): return DismissCall(WireSelection(numbers: [id.number]))
    case .pause(let id): return PauseCall(WireSelection(numbers: [id.number]))
    case .resume(let id): return ResumeCall(WireSelection(numbers: [id.number]))
    case .markDone(let id, let done): return MarkDoneCall(WireSelection(numbers: [id.number]), done: done)
    case .move(let id, let place, let other):
      return MoveCall(WireSelection(numbers: [id.number]), place: place, other: other)
    case .previewUndo: return UndoCall(preview: true)
    case .undo(let change): return UndoCall(sequence: change.sequence)
    case .redo: return RedoCall()
    }
  }

  func outcome(of reply: any Decodable) -> WatchOutcome {
    switch (self, reply) {
    case (_, let reply as ScheduleReply): return WatchOutcome(number: reply.alarm.number)
    case (_, let reply as AgainReply): return WatchOutcome(number: reply.alarm.number)
    case (_, let reply as ShowReply): return WatchOutcome(details: reply)
    case (.snoozeLengths(let id), let reply as ConfigReply):
      return WatchOutcome(snooze: SnoozeOffer(id: id, lengths: reply.snoozes))
    case (_, let reply as DeleteReply):
      let rang = reply.rang.isEmpty ? "" : tr(" · it had already rung")
      return WatchOutcome(notice: tr("deleted \(reply.deleted.numberList)\(rang)"))
    case (.previewUndo, let reply as UndoReply): return WatchOutcome(undo: reply)
    case (.undo, _): return WatchOutcome(notice: tr("undone"))
    case (.redo, _): return WatchOutcome(notice: tr("redone"))
    default: return WatchOutcome()
    }
  }

  /// The state that the call needs.
  var precondition: String? {
    switch self {
    case .extend: Extend.precondition
    case .snooze: Snooze.precondition
    case .dismiss: Dismiss.precondition
    case .pause: Pause.precondition
    case .resume: Resume.precondition
    default: nil
    }
  }
}

extension ScheduleClient {
  func takeReply<Call: ScheduleMethod>(to _: Call) throws(ScheduleClientError) -> (any Decodable)? {
    try takeArrived(of: Call.self)?.reply
  }
}

extension ConfigReply {
  /// The usual length first.
  fileprivate var snoozes: [String] {
    guard let setting = settings.first(where: { $0.key == "snooze" }) else { return [] }
    return setting.values ?? [setting.value].compactMap(\.self)
  }
}
