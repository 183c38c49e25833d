import Alarms
import ArgumentParser
import EggProtocol
import EggTime
import Gettext

struct AnniversaryVerb: DatedAnswerVerb {
  static let configuration = CommandConfiguration(
    "anniversary", tr("Add birthday and anniversary alarms."),
    usage: "eggctl anniversary NAME DATE [OPTION …]",
    discussion: """
      eggctl anniversary Mina 2026-09-01
      eggctl anniversary "Uncle Joon" 5 May 1946 --at 08:00 --group family
      eggctl anniversary Sora 2024-02-29 --leap-day march-1
      eggctl anniversary Halmoni 1946-05-05 --lunar
      eggctl anniversary Jun 2017-05-10 --lunar --leap-month

      DATE is the day of birth. Alarms are added for the 100th day (the day of birth
      is the first) and the first birthday if they lie ahead, and one for every later
      birthday. Each label is NAME and the occasion.

      Someone born on 29 February celebrates on 28 February in common years, or
      with --leap-day march-1 on 1 March, which takes a second alarm.

      With --lunar, DATE is year, month and day of the Korean lunar calendar, and so
      is every birthday, until 2100. Someone born in a leap month (--leap-month)
      celebrates in the leap month of years that have it, and in the month of its
      number in others. The 30th is kept on the 29th in months that end then.

      eggctl show adds age, days, the next occasion, star sign, zodiac animal (by
      lunar new year) and birthstone. eggctl list --today begins with who has a
      birthday today.
      """)

  @Argument(help: "The person's name.")
  var name: String
  @Argument(help: "The day of birth, 1900 or later.")
  var date: [String]
  @Option(
    name: .customLong("at"),
    help: ArgumentHelp("The time of day; by default 09:00, or day-at of config.toml.", valueName: "time"))
  var time: String?
  @Option(help: "When someone born on 29 February celebrates in common years.")
  var leapDay: Anniversary.LeapDay?
  @Flag(help: "The date, and every birthday, is in the Korean lunar calendar.") var lunar = false
  @Flag(help: "The month of birth is a leap month of the lunar calendar.") var leapMonth = false
  @Option(help: "The group for the alarms.", completion: .values(.groups))
  var group: String?
  @OptionGroup var ring: RingOptions
  @OptionGroup var answer: DatedAnswerOptions

  func run(in surroundings: Surroundings) throws {
    let form = try answer.form()
    try checkName()
    if leapMonth, !isLunar {
      throw Failure(.usage, tr("--leap-month needs --lunar"), hint: Self.lunarExample + " --leap-month")
    }
    if isLunar, leapDay != nil { throw Failure(.usage, tr("--lunar excludes --leap-day")) }
    let moments = try Moments(surroundings)
    let today = moments.zone.civil(at: moments.now)
    let anniversary = try isLunar ? lunarAnniversary(today) : anniversary(today, surroundings.typed)
    func plans(at time: String) throws -> [AnniversaryPlan] {
      anniversary.plans(
        at: try timeOfDay(time, surroundings.typed), leapDay: leapDay ?? .february28, today: today
      ) {
        moments.zone.resolve($0).instant > moments.now
      }
    }
    try checkLength(with: try plans(at: time ?? TimeOfDay.usual.text).map(\.occasion))
    let manner = try ring.manner(in: surroundings)
    let connection = try Connection(surroundings)
    let usual = try connection.usualAlarm()
    let alarms = try alarms(
      try plans(at: time ?? usual.dayAt), of: anniversary, manner,
      zone: try connection.read(StatusCall()).zone,
      in: surroundings)
    let made = try connection.add(alarms, to: group, usual)
    try surroundings.output.answer(form, json: made, numbers: made.alarms.map(\.number)) {
      let text = AlarmText(moments: moments)
      return made.alarms.map { text.line($0, base: $0.createdAt) }.joined()
    }
    guard form == .text else { return }
    for alarm in made.alarms { try surroundings.explain(alarm) }
  }

  /// - Parameter machine: The zone of eggd's machine.
  private func alarms(
    _ plans: [AnniversaryPlan], of anniversary: Anniversary, _ manner: Manner, zone machine: String,
    in surroundings: Surroundings
  ) throws -> [Alarm] {
    let zone = try surroundings.zoneName() ?? machine
    return try plans.map { plan in
      guard let timing = plan.timing(zone: zone, floats: zone == machine) else {
        throw Failure(.bug, tr("'\(plan.expression)' is not a time"))
      }
      var manner = manner
      manner.body = tr("It is the \(tr(plan.occasion.name))!")
      return Alarm(
        number: 0, id: AlarmID(), label: label(plan.occasion), position: 0, manner: manner, timing: timing,
        expression: plan.expression, forcedKind: plan.kind, readingZone: zone,
        anniversary: anniversary.birth, createdAt: Instant(microseconds: 0))
    }
  }

  private func label(_ occasion: AnniversaryOccasion) -> String { "\(name) \(tr(occasion.name))" }

  private func checkName() throws {
    guard name.contains(where: { !$0.isWhitespace }) else {
      throw Failure(.usage, tr("an anniversary needs a name"), hint: Self.example)
    }
    if LimitedText.label.problem(in: name) == .control { throw Failure.invalidText("name", limit: nil) }
  }

  private func checkLength(with occasions: [AnniversaryOccasion]) throws {
    let endings = occasions.map { label($0).dropFirst(name.count) }
    for ending in endings.sorted(by: { $0.utf8.count > $1.utf8.count }) {
      let hint = tr("the label is the name followed by '\(ending)'")
      let room = Limits.labelCharacters - ending.count
      guard name.count <= room else {
        throw Failure(
          .usage, tr("the name has \(name.count) characters; the limit is \(room)"), hint: hint)
      }
      let bytes = Limits.labelBytes - ending.utf8.count
      guard name.utf8.count <= bytes else {
        throw Failure(.usage, tr("the name is longer than \(bytes) bytes"), hint: hint)
      }
    }
  }

  private var text: String { date.joined(separator: " ") }
  /// `음력` in the date says so, too.
  private var isLunar: Bool { lunar || text.contains("음력") }
  /// `윤5월`.
  private var isLeapMonth: Bool { leapMonth || isLunar && text.contains("윤") }

  private func anniversary(_ today: CivilDateTime, _ typed: [String]) throws -> Anniversary {
    let birth: CivilDate?
    do {
      try refuseTwoDates()
      let isCompact = text.utf8.count == 8 && text.utf8.allSatisfy { 0x30...0x39 ~= $0 }
      birth = try CivilText.date(
        isCompact ? Self.parts(of: text).joined(separator: "-") : text.replacing("양력 ", with: ""),
        today: today)
    } catch {
      throw Self.failure(
        error, tr("cannot read '\(text.visible)' as a date"), of: text, typed, hint: Self.example)
    }
    guard let birth else {
      throw Failure(.usage, tr("'\(text.visible)' is not a date with a year"), hint: Self.example)
    }
    guard birth.midnight <= today else {
      throw Failure(
        .usage, tr("'\(text.visible)' is in the future; enter the day of birth"), hint: Self.example)
    }
    guard let anniversary = Anniversary(birth: birth) else {
      throw Failure(.usage, tr("'\(text.visible)' is before \(Anniversary.earliestYear)"))
    }
    return anniversary
  }

  /// `02/03/2000`, which the forms of a date alone take as date(1) does.
  private func refuseTwoDates() throws(ExpressionError) {
    let context = ReadingContext(now: Instant(microseconds: 0), zone: .utc)
    let error = TimeExpression.refusal(of: text, in: context)
    if let error, case .unreadable(_, .ambiguousDate, _) = error { throw error }
  }

  /// Reads year, month and day in this order, whatever stands between them.
  private func lunarAnniversary(_ today: CivilDateTime) throws -> Anniversary {
    var parts = Self.parts(of: text)
    // In another order, as in 5 May 1946.
    if parts.count != 3, let date = try? CivilText.date(text, today: today) {
      parts = [date.year, date.month, date.day].map(String.init)
    }
    let numbers = parts.compactMap { Int($0) }
    guard numbers.count == 3, parts.count == 3, parts[0].utf8.count == 4 else {
      throw Failure(
        .usage, tr("'\(text.visible)' is not year, month and day of the lunar calendar"),
        hint: Self.lunarExample)
    }
    guard LunarDate.years.contains(numbers[0]) else {
      throw Failure(
        .usage,
        tr("the lunar calendar is known from \(LunarDate.years.lowerBound) to \(LunarDate.years.upperBound)"))
    }
    guard
      let lunar = LunarDate(year: numbers[0], month: numbers[1], day: numbers[2], isLeapMonth: isLeapMonth),
      let anniversary = Anniversary(lunar: lunar)
    else {
      throw Failure(.usage, absence(of: numbers, text))
    }
    guard lunar.solar <= today else {
      throw Failure(
        .usage, tr("'\(text.visible)' is in the future; enter the day of birth"), hint: Self.lunarExample)
    }
    return anniversary
  }

  /// The numbers of a date; those of 19460505 too.
  private static func parts(of text: String) -> [String] {
    let parts = text.split { !($0.isASCII && $0.isNumber) }.map(String.init)
    guard parts.count == 1, let only = parts.first, only.utf8.count == 8 else { return parts }
    return [String(only.prefix(4)), String(only.dropFirst(4).prefix(2)), String(only.suffix(2))]
  }

  /// Why there is no such lunar date.
  private func absence(of numbers: [Int], _ text: String) -> String {
    let (year, month) = (numbers[0], numbers[1])
    if isLeapMonth, (1...12).contains(month), LunarDate.days(in: month, of: year, isLeapMonth: true) == nil {
      return tr("the lunar year \(year) has no leap month \(month)")
    }
    guard let days = LunarDate.days(in: month, of: year, isLeapMonth: isLeapMonth) else {
      return tr("'\(text.visible)' is no date of the lunar calendar: months are 1 to 12")
    }
    return tr("'\(text.visible)' is no date of the lunar calendar: that month has \(days) days")
  }

  private static let lunarExample = "eggctl anniversary Halmoni 1946-05-05 --lunar"

  private func timeOfDay(_ time: String, _ typed: [String]) throws -> CivilDateTime {
    do {
      if let time = try CivilText.timeOfDay(time) { return time }
    } catch {
      throw Self.failure(
        error, tr("cannot read '\(time.visible)' as a time of day"), of: time, typed, hint: "--at 09:00")
    }
    throw Failure(.usage, tr("'\(time.visible)' is not a time of day"), hint: "--at 09:00")
  }

  private static let example = "eggctl anniversary Mina 2024-02-29"

  private static func failure(
    _ error: ExpressionError, _ message: String, of text: String, _ typed: [String], hint: String
  ) -> Failure {
    guard case .unreadable(let offset, let reason, let readings) = error else {
      return Failure(.usage, message, hint: hint)
    }
    return Failure(
      .usage, "\(message): \(reason.words)",
      excerpt: Excerpt.caret(under: offset, in: text),
      hint: Eggctl.commands(typed, with: readings, for: text) ?? hint)
  }
}

extension Anniversary.LeapDay: ExpressibleByArgument {}
