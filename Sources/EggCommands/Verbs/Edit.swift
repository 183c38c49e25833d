import Alarms
import ArgumentParser
import EggProtocol
import EggTime
import Gettext

struct Edit: DatedAnswerVerb {
  static let configuration = CommandConfiguration(
    "edit", tr("Change the time, label, eggs or texts of alarms."),
    usage: "eggctl edit NUMBER … [TIME …] [OPTION …]",
    discussion: """
      eggctl edit 12 8m
      eggctl edit 12 13 --category hard --eggs 3
      eggctl edit 12 --label ""
      eggctl edit 12 --run ""
      eggctl edit 12 --every Mon..Fri 07:30
      eggctl edit 12 every 2 weeks on mon 07:30 --from 2027-01-04
      eggctl edit 12 --until 2027-06-30
      eggctl edit 12 --if-missed record
      eggctl edit 12 --wake
      eggctl edit 12 --before 15m --before 1d
      eggctl edit 12 --before none --except holidays

      A new time schedules an alarm again under its number, even one that has rung,
      and drops the old --from, --until and --count. An empty text removes the old
      one. Words after the time are the label, as with schedule;
      eggctl help times lists the ways to enter a time.
      """)

  @Argument(
    help: ArgumentHelp("The alarms, then the new time.", valueName: "number"),
    completion: .values(.alarms))
  var words: [String] = []
  @OptionGroup var alarm: AlarmOptions

  var answer: AlarmOptions { alarm }

  /// `edit 1 7 tomorrow`: alarms 1 and 7, or alarm 1 to 7 o'clock tomorrow?
  static func refuseTwoReadings(
    _ words: [String], _ rest: [String], in context: ReadingContext,
    command: ([String]) -> TypedCommand = { Self.command($0) }
  ) throws {
    let names = words.dropLast(rest.count)
    guard names.count > 1, let number = names.last, number.allSatisfy({ "0"..."9" ~= $0 }) else { return }
    let time = TypedWords.spaced(([number] + rest)[...])
    let readings = TimeExpression.refusal(of: time, in: context).map(\.readings) ?? [time]
    guard !readings.isEmpty else { return }
    let (first, both) = (command(names.dropLast()), command(Array(names)))
    let kinds: [(String, ExpressionKind)] = [("--in", .span), ("--at", .timestamp), ("--every", .calendar)]
    let read = try? TimeExpression.read(TypedWords.spaced(rest[...]), in: context)
    // Under --at a day alone would be its midnight.
    let day = read?.isDayAlone == true ? " \(context.dayAt.text)" : ""
    let all =
      kinds.first { $0.1 == read?.kind }
      .map { [both.with("\(TypedWords.spaced(rest[...]))\(day) \($0.0)")] } ?? []
    throw Failure(
      .usage, tr("'\(number.visible)' may be an alarm or part of the time"),
      hint: (readings.map { first.with($0.shellQuoted) } + all).joined(separator: tr(", or ")))
  }

  /// For hints: the command up to its time.
  private static func command(_ names: [String], _ typed: [String] = []) -> TypedCommand {
    TypedCommand("eggctl edit " + TypedWords.spaced(names[...]), typed, of: Self.self)
  }

  /// The alarms, and the words behind them. A number that a lead needs is the lead's: `12 15 minutes before`.
  private static func selection(
    _ words: [String], in surroundings: Surroundings
  ) throws -> (WireSelection, rest: [String]) {
    let (selection, rest) = try WireSelection.read(words)
    let place = words.count - rest.count - 1
    guard place > 0, !rest.isEmpty else { return (selection, rest) }
    let context = try surroundings.readingContext()
    let said = MomentWords(Array(words[place...]), as: nil, in: context, isTimeOptional: true)
    guard !said.isEmpty, said.rest.isEmpty else { return (selection, rest) }
    return (try WireSelection.read(Array(words[..<place])).selection, Array(words[place...]))
  }

  /// The words with the numbers of more labels in front; nil where they are a time, or name no alarm.
  private static func named(_ words: [String], _ kind: Timing.Kind?, _ naming: AlarmNaming) throws
    -> [String]?
  {
    guard !words.isEmpty else { return nil }
    let context = try naming.surroundings.readingContext()
    func isTime(_ words: [String]) -> Bool {
      TypedWords(words, as: kind?.expressionKind, in: context) != nil
        || !MomentWords(words, as: kind?.expressionKind, in: context, isTimeOptional: true).isEmpty
    }
    guard !isTime(words) else { return nil }
    do {
      let named = try naming.numbered(words, isOwn: isTime)
      return named == words ? nil : named
    } catch let failure as Failure where failure.status != .usage {
      // What is no time is refused without eggd, too.
      return nil
    }
  }

  /// `every day 9:30` for `every day 09:00` and `9:30`; nil where the text is no time of day, or the rule has several.
  private static func rule(_ rule: String, at text: String, in context: ReadingContext) -> String? {
    var words = rule.split(separator: " ").map(String.init)
    let times = words.indices.filter { words[$0].wholeMatch(of: /[0-9]{2}:[0-9]{2}/) != nil }
    guard times.count == 1 else { return nil }
    words[times[0]] = text
    let changed = words.joined(separator: " ")
    return (try? TimeExpression.read(changed, in: context))?.kind == .calendar ? changed : nil
  }

  /// Whether the call gives a time that does not recur.
  private func ringsOnce(_ call: EditCall, in surroundings: Surroundings) throws -> Bool {
    guard let text = call.expression else { return false }
    let context = try surroundings.readingContext()
    return (try? surroundings.expression(reading: text, as: call.kind, in: context))?.kind != .calendar
  }

  func run(in surroundings: Surroundings) throws {
    let form = try answer.form()
    // A label is the first word: behind a number it is the new one.
    let naming = AlarmNaming("edit", in: surroundings)
    var words = try naming.numbered(Array(words.prefix(1))) + words.dropFirst()
    let kind = try alarm.kind()
    var (selection, rest) = try Self.selection(words, in: surroundings)
    if let word = rest.first, !selection.isNamed { throw Failure.noAlarm(word) }
    if let named = try Self.named(rest, kind, naming) {
      words = words.dropLast(rest.count) + named
      (selection, rest) = try Self.selection(words, in: surroundings)
    }
    try selection.check(verb: "edit")
    try alarm.check()
    var call = EditCall(selection)
    call.kind = kind
    call.until = try alarm.lastMoment(in: surroundings)
    call.count = try alarm.checkedCount()
    call.from = try alarm.firstMoment(in: surroundings)
    if alarm.isEndless {
      guard call.count == nil else {
        throw Failure(.usage, tr("--until none and --count exclude each other"))
      }
      call.endless = true
    }
    var label = alarm.label
    let context = rest.isEmpty ? nil : try surroundings.readingContext()
    let said = context.map {
      MomentWords(rest, as: call.kind?.expressionKind, in: $0, isTimeOptional: true)
    }
    if let context, let said, case let time = said.rest, !time.isEmpty {
      let names = Array(words.dropLast(rest.count))
      func command(_ names: [String]) -> TypedCommand {
        Self.command(names, surroundings.typed).saying(said)
      }
      if call.kind == nil {
        try Self.refuseTwoReadings(names + time, time, in: context, command: command)
      }
      let when = try ExpressionWords.split(time, command: command(names), as: call.kind, in: context)
      call.expression = when.expression
      call.zone = try surroundings.zoneName()
      if label != nil, when.label != nil { throw Failure(.usage, tr("two labels were given")) }
      label = label ?? when.label
      try surroundings.checkRecurs(
        when.expression, as: call.kind, from: call.from, until: call.until, with: alarm)
    } else {
      if call.kind != nil { throw Failure(.usage, tr("--in, --at and --every need a time")) }
      if let from = call.from, let until = call.until, until < from {
        throw Failure(.usage, tr("--until is before --from"))
      }
    }
    call.leads = try alarm.leads(said?.leads ?? [])
    call.except = try alarm.exceptions(said?.except ?? [])
    call.onlyOn = try alarm.onlyDays(said?.onlyOn ?? [])
    let ifMissed = try alarm.missedPolicy(in: surroundings)
    call.ifMissed = ifMissed?.wire
    call.ringWithin = ifMissed?.span
    call.label = try AlarmOptions.checkedLabel(label, in: surroundings)
    call.category = alarm.category
    call.eggs = alarm.eggs
    call.group = alarm.group
    call.manner = try alarm.manner(in: surroundings)
    guard call != EditCall(selection) else {
      throw Failure(.usage, tr("no change was given"), hint: "eggctl help edit")
    }
    let connection = try Connection(surroundings)
    let recurring =
      try form == .text && ringsOnce(call, in: surroundings) ? connection.shows(selection.numbers) : []
    let isBounded = call.from != nil || call.until != nil || call.count != nil || call.endless != nil
    let reply = try connection.change(
      call,
      refusal: { error in
        guard case .wrongState(let number, _) = error, call.expression == nil,
          let text = try? connection.read(ShowCall(number: number)).alarm.expression
        else { return nil }
        return Failure.ringsOnce(text, isBounded: isBounded)
      })
    try surroundings.show(reply, as: form) { $0.line($1, base: call.expression == nil ? nil : $1.modifiedAt) }
    let zone = try surroundings.zone()
    for case let (number, rule?) in recurring.map({ ($0.alarm.number, $0.alarm.rule(in: zone)) }) {
      let other = try call.expression.flatMap {
        try Self.rule(rule, at: $0, in: surroundings.readingContext())
      }
      try surroundings.output.hint(
        tr("#\(number) no longer rings \(rule); eggctl undo takes it back")
          + (other.map { "; " + tr("for another time of day: eggctl edit \(number) \($0)") } ?? ""))
    }
    // All changed alarms have this expression.
    if form == .text, let text = call.expression, let alarm = reply.alarms.first {
      try surroundings.explain(alarm, typed: text, as: call.kind)
    }
    try surroundings.warnUnlessHeard(for: reply.alarms, form)
    try surroundings.warnUnlessAwake(for: reply.alarms, connection, form)
  }
}
