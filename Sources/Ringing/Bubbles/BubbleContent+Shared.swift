import Alarms
import EggTime

extension NoticeWording {
  /// How many alarms a shared bubble names.
  static let namedLimit = 6

  /// A shared bubble: how many alarms, and the names of the first ones.
  ///
  /// - Parameter first: The first ``namedLimit`` alarms, or all, by due moment.
  func content(ofMany count: Int, first: [Notice], makesSound: Bool, sound: AlarmSound?) -> BubbleContent {
    let dues = Set(first.map { moment($0.dueAt) })
    var lines = [AlarmCard.defaultBody, "\(count) alarms"]
    if let earliest = first.first, let late = lateness(of: earliest) {
      let subject = dues.count == 1 && count == first.count ? "Due" : "The first was due"
      lines.append("\(subject) \(moment(earliest.dueAt)), \(late)")
    }
    lines += first.map { dues.count == 1 ? $0.name : "\($0.name), due \(moment($0.dueAt))" }
    if count > first.count { lines.append("and \(count - first.count) more") }
    return BubbleContent(
      summary: AlarmCard.defaultSummary, body: lines.joined(separator: "\n"), icon: "eggd",
      actions: ["default", "Dismiss", "snooze", "Snooze"], makesSound: makesSound, sound: sound)
  }
}

extension Notice {
  /// Label and title, otherwise the number: `two soft ones (Up!)`, `#12`.
  fileprivate var name: String {
    let title = card.summary == nil ? nil : card.shownSummary
    guard let label = card.shownLabel else { return title ?? "#\(number)" }
    return title.map { "\(label) (\($0))" } ?? label
  }
}
