import Alarms
import EggTime

/// The texts of one Notify.
package struct BubbleContent: Hashable, Sendable {
  /// Sets apart bubbles that read the same: dunst stacks notifications of one app_name, summary and body.
  package var appName = BubbleContent.appName
  package var summary: String
  /// Escaped where the server reads markup.
  package var body: String
  package var icon: String
  /// Each key followed by its label, as Notify takes them.
  package var actions: [String]
  /// False for a bubble that was on the screen before.
  package var makesSound: Bool
  /// nil for eggd's usual sound.
  package var sound: AlarmSound?

  package static let appName = "Egg Timer"
  /// eggd's own.
  package static let icon = "eggd"

  /// Whether a person, or a server that stacks notifications, takes it for the other.
  func readsAs(_ other: BubbleContent) -> Bool {
    appName == other.appName && summary == other.summary && body == other.body
  }
}

/// What a bubble's actions ask for.
package enum BubbleChoice: Hashable, Sendable {
  case dismiss
  /// nil for the usual length.
  case snooze(SnoozeLength?)
  case again

  private static let snoozing = "snooze:"

  /// By an action's key; nil for none of ours.
  init?(action: String) {
    switch action {
    case "default": self = .dismiss
    case "snooze": self = .snooze(nil)
    case "again": self = .again
    default:
      guard action.hasPrefix(Self.snoozing) else { return nil }
      guard let length = SnoozeLength(String(action.dropFirst(Self.snoozing.count))) else { return nil }
      self = .snooze(length)
    }
  }

  /// An action's key. It says itself what its button says: the settings may change while that is on the screen.
  var action: String {
    switch self {
    case .dismiss: "default"
    case .snooze(let length): length.map { Self.snoozing + $0.text } ?? "snooze"
    case .again: "again"
    }
  }

  package var name: String {
    switch self {
    case .dismiss: "dismiss"
    case .snooze: "snooze"
    case .again: "again"
    }
  }
}

extension NoticeWording {
  /// One alarm's bubble: body, label, and the due moment if it is late, each on its own line.
  func content(of notice: Notice, makesSound: Bool, at now: Instant) -> BubbleContent {
    var lines = [notice.shownBody]
    if let label = notice.card.shownLabel { lines.append(label) }
    if let note = notice.card.note { lines.append(note.visibleLines) }
    if notice.ahead > notice.lateness { lines.append(say("in \(span(notice.ahead - notice.lateness))")) }
    if let late = lateness(of: notice) { lines.append(say("Due \(text(notice.dueAt, at: now)), \(late)")) }
    if notice.elapsed > Recurrence.mostCounted {
      lines.append(say("More than \(Recurrence.mostCounted) times"))
    } else if notice.elapsed > 1 {
      lines.append(
        notice.lastAt.map { say("\(notice.elapsed) times, the last at \(text($0, at: now))") }
          ?? say("\(notice.elapsed) times"))
    }
    if let problem = notice.hookProblem { lines.append(say("Its command did not start: \(problem.visible)")) }
    var actions = actions
    if !notice.card.recurs, offersAgain(notice.card.expression) {
      actions += [BubbleChoice.again.action, say("Again")]
    }
    return BubbleContent(
      summary: notice.shownSummary, body: lines.joined(separator: "\n"),
      icon: notice.card.icon ?? BubbleContent.icon, actions: actions, makesSound: makesSound,
      sound: notice.card.heard)
  }

  /// Those of every bubble. A server that has room for a few shows the first: GNOME Shell shows three besides `default`.
  var actions: [String] {
    let lengths = snoozes.count > 1 ? snoozes : [nil]
    return [BubbleChoice.dismiss.action, say("Dismiss")]
      + lengths.flatMap { [BubbleChoice.snooze($0).action, words(of: $0)] }
  }

  private func words(of length: SnoozeLength?) -> String {
    switch length {
    case nil: say("Snooze")
    case .span(let span): say("Snooze \(self.span(span))")
    case .until(let text): say("Until \(text.visible)")
    }
  }

  func lateness(of notice: Notice) -> String? {
    Lateness.text(notice.lateness, notice.reason, words: span, in: say)
  }
}

extension BubbleContent {
  /// Whether a server that reads markup would misread the body.
  var needsEscaping: Bool { body != body.asMarkup }

  /// The same with the body as markup; a summary never is.
  func escaped() -> BubbleContent {
    var copy = self
    copy.body = body.asMarkup
    return copy
  }
}

extension NoticeWording {
  /// How many alarms a shared bubble names.
  static let namedLimit = 6
  /// The same where it is the only one.
  static let namedLimitOfAll = 24

  /// A shared bubble: how many alarms, and the names of the first ones.
  ///
  /// - Parameter first: The first ``namedLimit`` alarms, or all, by due moment.
  func content(
    ofMany count: Int, first: [Notice], makesSound: Bool, sound: AlarmSound?, at now: Instant
  ) -> BubbleContent {
    let dues = first.map { text($0.dueAt, at: now) }
    let isOneMoment = Set(dues).count <= 1
    let words = first.first?.words ?? .standard
    let names = zip(first, dues).map { notice, due in
      isOneMoment ? notice.name : "\(notice.name) (\(due))"
    }
    let list = names.joined(separator: ", ")
    let whole = count > first.count ? say("\(list) and \(count - first.count) more") : list
    // GNOME Shell shows six lines, mako four.
    var lines = [words.body, say("\(count) alarms: \(whole)")]
    if let earliest = first.first, let due = dues.first, let late = lateness(of: earliest) {
      lines.append(
        isOneMoment && count == first.count
          ? say("Due \(due), \(late)") : say("The first was due \(due), \(late)"))
    }
    if let problem = first.lazy.compactMap(\.hookProblem).first {
      lines.append(say("A command did not start: \(problem.visible)"))
    }
    return BubbleContent(
      summary: words.title, body: lines.joined(separator: "\n"), icon: BubbleContent.icon,
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
