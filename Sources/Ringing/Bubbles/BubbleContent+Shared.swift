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
    let words = first.first?.words ?? .standard
    let names = zip(first, dues).map { notice, due in
      isOneMoment ? notice.name : "\(notice.name) (\(sameDay(notice.dueAt, first[0].dueAt) ?? due))"
    }
    let list = names.joined(separator: ", ")
    let whole = count > first.count ? say("\(list) and \(count - first.count) more") : list
    // GNOME Shell shows six lines, mako four.
    var lines = [words.body, say("\(count) alarms: \(whole)")]
    if let earliest = first.first, let late = lateness(of: earliest) {
      let due = moment(earliest.dueAt)
      lines.append(
        isOneMoment && count == first.count
          ? say("Due \(due), \(late)") : say("The first was due \(due), \(late)"))
    }
    if let problem = first.lazy.compactMap(\.hookProblem).first {
      lines.append(say("A command did not start: \(problem.visible)"))
    }
    return BubbleContent(
      summary: words.title, body: lines.joined(separator: "\n"), icon: "eggd",
      actions: actions, makesSound: makesSound, sound: sound)
  }
}

extension Notice {
  /// Label and title, otherwise the number: `two soft ones (Up!)`, `#12`.
  fileprivate var name: String {
    let title = card.summary == nil ? nil : shownSummary
    guard let label = card.shownLabel else { return title ?? "#\(number)" }
    return title.map { "\(label) (\($0))" } ?? label
  }
}
