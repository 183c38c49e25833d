import Alarms
import ArgumentParser
import EggProtocol
import EggTime
import Gettext
import Varlink

struct Resolve: Verb {
  static let configuration = CommandConfiguration(
    "resolve", tr("Show how a time is read, and when it comes."),
    usage: "eggctl resolve TIME … [OPTION …]",
    discussion: """
      eggctl resolve tomorrow 07:30
      eggctl resolve Mon..Fri 07:30 --count 10
      eggctl resolve 02:30 --base "2027-03-28 00:00" --zone Europe/Paris
      eggctl resolve every 3 days at 08:00 --from 2027-01-04
      eggctl resolve 내일 아침 7시
      eggctl resolve weekdays 7:00 except holidays
      eggctl resolve 6m30s --json

      Nothing is scheduled, and eggd need not run. eggctl help times lists the ways
      to enter a time.
      """)

  @Argument(
    help: ArgumentHelp("A time expression.", valueName: "time"),
    completion: .values(.times))
  var words: [String]
  @Flag(name: .customLong("in"), help: .countdown) var isCountdown = false
  @Flag(name: .customLong("at"), help: .moment) var isMoment = false
  @Flag(name: .customLong("every"), help: .recurring) var isRecurring = false
  @Option(help: "The label, as for schedule.")
  var label: String?
  @Option(help: ArgumentHelp("The moment taken as now.", valueName: "instant"))
  var base: String?
  @Option(help: "The IANA name of a zone; by default your own zone.", completion: .values(.zones))
  var zone: String?
  @Option(help: ArgumentHelp("When a recurring time begins; by default now.", valueName: "when"))
  var from: String?
  @Option(parsing: .unconditional, help: "How many moments of a recurring time to show; by default 5.")
  var count: Int?
  @Option(help: .dateFormat) var dateFormat: DateFormat?
  @Flag(help: "Print the answer as one JSON document; occurrences are microseconds since the epoch.")
  var json = false

  func run(in surroundings: Surroundings) throws {
    if let count, !(1...10_000).contains(count) {
      throw Failure(.usage, tr("--count must be between 1 and 10000, not \(count)"))
    }
    let context = try surroundings.readingContext(base: base, zone: zone, from: from)
    let kind = try Timing.Kind.forced(isCountdown, isMoment, isRecurring)
    let command = TypedCommand("eggctl resolve", surroundings.typed, of: Self.self)
    let split = try ExpressionWords.split(words, command: command, as: kind, in: context)
    let text = split.expression
    let expression = try surroundings.expression(reading: text, as: kind, in: context)
    guard from == nil && count == nil || expression.kind == .calendar else {
      throw Failure(
        .usage, tr("--from and --count are for recurring times, and '\(text.visible)' rings once"))
    }
    let moments: [Instant]
    do {
      moments = try expression.moments(in: context, count: count ?? 5)
    } catch {
      throw Failure(error, of: text)
    }
    let label = label ?? split.label
    let answer = Resolved(
      reply: ResolveReply(expression, moments), leads: split.moments?.withMoment,
      except: split.moments?.exceptions, onlyOn: split.moments?.onlyDays, label: label)
    try surroundings.output.answer(json ? .json : .text, json: answer, numbers: []) {
      let words = Moments(zone: context.zone, now: context.now, dates: surroundings.dates)
      return try self.text(expression, as: kind, moments, context, words)
        + (label.map { "  \(tr("label"))  \($0.visible)\n" } ?? "")
        + (split.moments.map { "  \(words.text($0))\n" } ?? "")
    }
  }

  private func text(
    _ expression: TimeExpression, as kind: Timing.Kind?, _ moments: [Instant], _ context: ReadingContext,
    _ words: Moments
  ) throws -> String {
    var text = "\(ResolveReply(expression, []).kind.rawValue)  \(expression.canonical)\n"
    for moment in moments {
      let left = moment - context.now
      let when =
        left.microseconds < 0
        ? tr("\(SpanText.whole(.zero - left)) ago, in the past") : tr("in \(SpanText.whole(left))")
      text +=
        "  \(words.text(moment))   \(Zone.utc.civil(at: moment)) UTC   \(when)\n"
    }
    if moments.isEmpty { text += "  \(tr("never"))\n" }
    for remark in try remarks(expression, as: kind, moments, context, words) { text += "  \(remark)\n" }
    return text
  }

  /// What may be surprising about the clock.
  private func remarks(
    _ expression: TimeExpression, as forced: Timing.Kind?, _ moments: [Instant], _ context: ReadingContext,
    _ words: Moments
  ) throws -> [String] {
    let zone = try expression.zoneName.map { try context.loadZone($0) } ?? context.zone
    var remarks: [String] = []
    switch (expression.reading, expression.resolution) {
    case (.civil(let civil, _), .gap(let instant, let length)):
      remarks.append(
        tr(
          """
          The clock of \(zone.identifier) jumps over \(civil): it rings \(SpanText.whole(length)) later, \
          at \(zone.civil(at: instant)).
          """))
    case (.civil(let civil, _), .fold(_, let second)):
      remarks.append(
        tr(
          """
          The clock of \(zone.identifier) shows \(civil) twice: it rings the first time, \
          not at \(Zone.utc.civil(at: second)) UTC.
          """))
    default: break
    }
    if case .recurring(let time) = expression.reading, let first = moments.first,
      let skipped = time.firstSkipped(after: context.base, before: first + .seconds(366 * 86_400), in: zone)
    {
      remarks.append(skipped.words(clock: tr("The clock of \(zone.identifier)")) + ".")
    }
    let dayAt = forced == nil && expression.isDayAlone ? words.context.dayAt : nil
    for words in [expression.hint?.words, dayAt?.asDayAt].compactMap(\.self) {
      remarks.append("\(words.prefix(1).uppercased())\(words.dropFirst()).")
    }
    return remarks
  }
}

/// The wire's reply, with what a sentence says beside its time.
private struct Resolved: Encodable {
  @Inlined var reply: ResolveReply
  var leads: [Lead]?
  var except: [String]?
  var onlyOn: [String]?
  var label: String?
}
