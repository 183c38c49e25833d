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
  package static let plain = AlarmCard(
    id: AlarmID(), label: nil, summary: nil, body: nil, icon: nil, expression: "6m30s")

  package static func with(label: String? = nil, summary: String? = nil, body: String? = nil) -> AlarmCard {
    AlarmCard(
      id: AlarmID(), label: label, summary: summary, body: body, icon: nil, expression: "6m30s")
  }
}
