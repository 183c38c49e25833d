import Alarms
import EggTime
import Ringing

extension NoticeWording {
  /// Moments and spans as bare seconds; Again for countdowns alone.
  package static var plain: NoticeWording {
    NoticeWording(
      moment: { "@\($0.microseconds / 1_000_000)" }, span: { "\($0.microseconds / 1_000_000) s" },
      offersAgain: { $0 == "6m30s" })
  }
}

extension AlarmCard {
  package static let plain = AlarmCard(id: AlarmID(), expression: "6m30s")

  /// With other values of some fields.
  package func changed(_ change: (inout Draft) -> Void) -> AlarmCard {
    var draft = Draft(
      id: id, label: label, manner: manner, expression: expression, recurs: recurs, category: category,
      group: group)
    change(&draft)
    return AlarmCard(
      id: draft.id, label: draft.label, manner: draft.manner, expression: draft.expression,
      recurs: draft.recurs, category: draft.category, group: draft.group)
  }

  package struct Draft: TakesManner {
    package var id: AlarmID
    package var label: String?
    package var manner: Manner
    package var expression: String
    package var recurs: Bool
    package var category: Category
    package var group: String?
  }

  package static func with(label: String? = nil, summary: String? = nil, body: String? = nil) -> AlarmCard {
    AlarmCard(
      id: AlarmID(), label: label, manner: Manner(summary: summary, body: body), expression: "6m30s")
  }
}
