import Alarms
import ArgumentParser
import EggProtocol
import EggTime
import Gettext

struct Schedule: DatedAnswerVerb {
  static let configuration = CommandConfiguration(
    "schedule", tr("Schedule an alarm."),
    usage: "eggctl schedule TIME … [LABEL] [OPTION …]",
    discussion: """
      eggctl schedule 6m30s "two soft ones" --eggs 2 --category soft
      eggctl schedule tomorrow 07:30
      eggctl schedule 10m call mom
      eggctl schedule 2026-12-24 18:00 --label pudding
      eggctl schedule Mon..Fri 07:30 "get up" --until 2026-12-24
      eggctl schedule every other tuesday 9:00 --from 2027-01-04
      eggctl schedule 9m --insist --note "lid on, blue pan"
      eggctl schedule --every "07:30" --count 10 --ring-within 10m
      eggctl schedule 6m --run "mpv --no-video song.ogg"
      eggctl schedule 07:00 "train" --wake
      eggctl schedule tomorrow 14:30 meeting --before 15m --before 1d
      eggctl schedule weekdays 7:00 "get up" --except holidays
      eggctl schedule tea                  a timer of config.toml

      The label follows the time or stands before it; --label takes anything. A word
      that may belong to the time is refused.
      "15 minutes before" at the end is --before, "except holidays" is --except.

      A time is one of
        6m30s  6m 30s  1h30  1 hour 30  in 10 minutes
                                     elapsed time from now, suspend included
        1 month                      on the calendar, at the same time of day
        07:30  7:30 pm  noon         the next such time
        friday  the 15th             at 09:00, or day-at of config.toml
        tomorrow 07:30  friday at 9pm
        2026-12-24 18:00             seconds, a zone or an offset may follow
        2026. 12. 24. 18:00:00       as eggctl shows it
        every 20m  every other tuesday 9:00  weekdays at 7:00
                                     recurring
        Mon..Fri 07:30  daily  *:0/15   recurring; with --every also 07:30
        내일 아침 7시  5분 뒤        Korean

      More, and what is refused: eggctl help times
      """)

  @Argument(
    help: ArgumentHelp("When to ring, and a label.", valueName: "time"),
    completion: .values(.timers))
  var words: [String]
  @OptionGroup var alarm: AlarmOptions
  @Option(help: "Get only one alarm when the same command is repeated.")
  var key: String?

  var answer: AlarmOptions { alarm }

  func run(in surroundings: Surroundings) throws {
    _ = try schedule(
      as: TypedCommand("eggctl schedule", surroundings.typed, of: Self.self), in: surroundings)
  }

  /// Also prints the answer.
  ///
  /// - Parameters:
  ///   - command: For hints.
  ///   - shown: The moment that the person has been shown; it is scheduled even if the words name another one by now.
  func schedule(
    as command: TypedCommand, in surroundings: Surroundings, shown: Instant? = nil
  ) throws -> ScheduleReply {
    let (form, kind) = (try answer.form(), try alarm.kind())
    let from = try alarm.firstMoment(in: surroundings)
    let (until, count) = (try alarm.lastMoment(in: surroundings), try alarm.checkedCount())
    let ifMissed = try alarm.missedPolicy(in: surroundings)
    let context = try surroundings.readingContext()
    var (when, preset) = try surroundings.split(words, as: kind, command, in: context)
    let alarm = preset?.completing(alarm, isLabelled: when.label != nil) ?? alarm
    when.expression = try surroundings.text(of: when.expression, at: shown, in: context)
    if alarm.label != nil, let label = when.label {
      throw Failure(.usage, tr("two labels: '\(alarm.label?.visible ?? "")' and '\(label.visible)'"))
    }
    try alarm.check()
    let leads = try alarm.leads(when.moments?.leads ?? [])
    let except = try alarm.exceptions(when.moments?.except ?? [])
    let onlyOn = try alarm.onlyDays(when.moments?.onlyOn ?? [])
    try surroundings.checkRecurs(when.expression, as: kind, from: from, until: until, with: alarm)
    var manner = try alarm.manner(in: surroundings)
    // A new alarm has the usual sound anyway.
    if manner.sound?.isEmpty == true { manner.sound = nil }
    let label = try AlarmOptions.checkedLabel(
      alarm.label ?? when.label, instead: when.noted(command), in: surroundings)
    let connection = try Connection(surroundings)
    let reply = try connection.call(
      ScheduleCall(
        expression: when.expression, kind: kind, zone: try surroundings.zoneName(), label: label,
        category: alarm.category, eggs: alarm.eggs, group: alarm.group, manner: manner, key: key, from: from,
        until: until, count: count, ifMissed: ifMissed, leads: leads, except: except, onlyOn: onlyOn),
      refusal: { error in
        // Without days off it is the leads.
        guard case .neverRings = error, alarm.onlyBefore, except ?? [] == [], onlyOn ?? [] == [] else {
          return nil
        }
        return Failure(
          .usage, tr("it would never ring: all its rings are past"), hint: tr("leave out --only-before"))
      })
    surroundings.output.done = tr("alarm \(reply.alarm.number) is scheduled")
    try surroundings.show(reply.alarm, base: reply.existed ? nil : reply.alarm.createdAt, as: form)
    if form == .text {
      try surroundings.explain(reply.alarm, typed: reply.existed ? nil : when.expression, as: kind)
    }
    if form == .text, let past = reply.past, !past.isEmpty {
      let names = past.map(\.words).list
      try surroundings.output.hint(tr("it does not ring \(names) before, because that has passed"))
    }
    if reply.existed, form == .text {
      try surroundings.output.hint(
        tr("alarm \(reply.alarm.number) already has this key; nothing was changed"))
    }
    try surroundings.warnUnlessHeard(for: [reply.alarm], form)
    try surroundings.warnUnlessAwake(for: [reply.alarm], connection, form)
    return reply
  }
}

struct Hungry: DatedAnswerVerb {
  static let configuration = CommandConfiguration(
    "hungry", tr("Schedule an alarm in five seconds."),
    discussion: "eggctl hungry")

  @OptionGroup var answer: DatedAnswerOptions

  func run(in surroundings: Surroundings) throws {
    let form = try answer.form()
    let reply = try Connection(surroundings).call(
      ScheduleCall(expression: "5s", zone: try surroundings.zoneName()))
    try surroundings.show(reply.alarm, base: reply.alarm.createdAt, as: form)
  }
}
