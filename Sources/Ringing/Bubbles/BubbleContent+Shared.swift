import Alarms
import EggTime

extension NoticeWording {
  /// How many alarms a shared bubble names.
  static let namedLimit = 6

  /// A shared bubble: how many alarms, and the names of the first ones.
  ///
  /// - Parameter first: The first ``namedLimit`` alarms, or all, by due moment.
  func content(ofMany count: Int, first: [Notice], makesSound: Bool, sound: AlarmSound?) -> BubbleContent {
    let dues = first.map { moment($0.dueAt) }
    let isOneMoment = Set(dues).count <= 1
    let names = zip(first, dues).map { notice, due in
      isOneMoment ? notice.name : "\(notice.name) (\(Self.time(of: due, on: dues[0])))"
    }
    let more = count > first.count ? " and \(count - first.count) more" : ""
    // GNOME Shell shows six lines, mako four.
    var lines = [AlarmCard.defaultBody, "\(count) alarms: \(names.joined(separator: ", "))\(more)"]
    if let earliest = first.first, let late = lateness(of: earliest) {
      let subject = isOneMoment && count == first.count ? "Due" : "The first was due"
      lines.append("\(subject) \(moment(earliest.dueAt)), \(late)")
    }
    return BubbleContent(
      summary: AlarmCard.defaultSummary, body: lines.joined(separator: "\n"), icon: "eggd",
      actions: ["default", "Dismiss", "snooze", "Snooze"], makesSound: makesSound, sound: sound)
  }

  /// A moment without its date, if that is the other moment's: `04:50:38`.
  private static func time(of moment: String, on other: String) -> Substring {
    guard let end = moment.lastIndex(of: " "), other.hasPrefix(moment[...end]) else { return moment[...] }
    return moment[moment.index(after: end)...]
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
