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

  package static func with(label: String? = nil, summary: String? = nil, body: String? = nil) -> AlarmCard {
    AlarmCard(
      id: AlarmID(), label: label, manner: Manner(summary: summary, body: body), expression: "6m30s")
  }
}
