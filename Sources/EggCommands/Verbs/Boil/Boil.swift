import Alarms
import ArgumentParser
import EggProtocol
import EggTime
import Gettext

struct Boil: DatedAnswerVerb {
  static let configuration = CommandConfiguration(
    "boil", tr("Compute how long eggs boil, and schedule that."),
    usage: "eggctl boil soft|medium|hard|periodic [OPTION …]",
    discussion: """
      eggctl boil soft
      eggctl boil medium --size L --from room
      eggctl boil hard --mass 58g --from 7C --altitude 1500m --count 4
      eggctl boil periodic

      Put the eggs into boiling water when you press Enter. The number of eggs does
      not change the time, as long as the water keeps boiling.

      The yolk is done when it has 63 °C (soft), 70 °C (medium) or 77 °C (hard) where
      it meets the white. Water boils at 100 °C at sea level and cooler higher up.

      boil periodic schedules sixteen alarms, one every two minutes: each names the
      water that the eggs go into next, 30 °C or 100 °C. Start in the hot one. White
      and yolk are then both done as they should be, after 32 minutes.
      """)

  enum Doneness: String, ExpressibleByArgument, CaseIterable {
    case soft
    case medium
    case hard
    case periodic
  }

  @Argument(help: "soft, medium, hard or periodic.")
  var doneness: Doneness
  @Option(parsing: .unconditional, help: ArgumentHelp("The mass of one egg: 58g or 2oz.", valueName: "mass"))
  var mass: String?
  @Option(help: "The size of the eggs: S, M (default), L or XL, as sold in the EU.")
  var size: EggSize?
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Where the eggs come from: fridge (4 °C, default), room (20 °C), or their temperature.",
      valueName: "fridge|room|temperature"), completion: .list(["fridge", "room"]))
  var from: String?
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The altitude: 1500m or 5000ft.", valueName: "altitude"))
  var altitude: String?
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The temperature that the yolk is to reach.", valueName: "temperature"))
  var yolk: String?
  @Option(parsing: .unconditional, help: "How many eggs.")
  var count: Int64?
  @Option(help: "The alarm's label, at most \(Limits.labelCharacters) characters.")
  var label: String?
  @Option(help: .group, completion: .values(.groups)) var group: String?
  @OptionGroup var ring: RingOptions
  @Flag(help: "Only show the figures.")
  var dryRun = false
  @OptionGroup var answer: DatedAnswerOptions

  func run(in surroundings: Surroundings) throws {
    let form = try answer.form()
    if let count, !Limits.eggs.contains(count) {
      throw Failure(.usage, tr("--count must be 1 to \(Limits.eggs.upperBound)"))
    }
    guard doneness != .periodic else { return try boilPeriodically(form, in: surroundings) }
    let egg = try egg()
    let figures = BoilFigures(egg: egg, altitudeMetres: try metres(), span: try boilingTime(of: egg))
    if dryRun {
      return try surroundings.output.answer(form, json: BoilAnswer(boil: figures), numbers: []) {
        figures.text
      }
    }
    let label = try AlarmOptions.checkedLabel(label, in: surroundings) ?? usualLabel
    let manner = try ring.manner(in: surroundings)
    let reply = try Connection(surroundings).call(
      ScheduleCall(
        expression: SpanText.canonical(figures.span), kind: .in, zone: try surroundings.zoneName(),
        label: label, category: Alarms.Category(rawValue: doneness.rawValue), eggs: count, group: group,
        manner: manner))
    surroundings.output.done = tr("alarm \(reply.alarm.number) is scheduled")
    try surroundings.output.answer(
      form, json: BoilAnswer(alarms: [reply.alarm], boil: figures), numbers: [reply.alarm.number]
    ) {
      AlarmText(moments: try Moments(surroundings)).line(reply.alarm, base: reply.alarm.createdAt)
        + figures.text
    }
  }

  /// `soft, 4 eggs`
  private var usualLabel: String {
    let word =
      switch doneness {
      case .soft: tr("soft")
      case .medium: tr("medium")
      case .hard, .periodic: tr("hard")
      }
    return count.map { "\(word), \(Counted.eggs($0))" } ?? word
  }

  private func egg() throws -> BoiledEgg {
    if mass != nil, size != nil { throw Failure(.usage, tr("--mass and --size exclude each other")) }
    return BoiledEgg(
      mass: try mass.map(grams) ?? (size ?? .medium).mass, start: try start(), yolk: try yolkTemperature(),
      water: BoilingWater.temperature(altitude: try metres()))
  }

  private func boilingTime(of egg: BoiledEgg) throws -> TimeSpan {
    do {
      return try egg.boilingTime()
    } catch {
      let (yolk, start, water) = (degrees(egg.yolk), degrees(egg.start), degrees(egg.water))
      switch error {
      case .coldWater:
        throw Failure(
          .usage, tr("the yolk must reach \(yolk), but the water boils at \(water)"),
          hint: tr("give --yolk a temperature below \(water)"))
      case .hotEgg:
        throw Failure(
          .usage, tr("an egg of \(start) needs no boiling to reach \(yolk) in the yolk"),
          hint: "--from fridge")
      }
    }
  }

  private func grams(_ text: String) throws -> Double {
    guard let grams = Measure.grams(text) else {
      throw Failure(.usage, tr("'\(text.visible)' is not a mass"), hint: "--mass 58g")
    }
    guard (5...2_000).contains(grams) else {
      throw Failure(.usage, tr("an egg weighs 5 g (quail) to 2000 g (ostrich)"), hint: "--mass 58g")
    }
    return grams
  }

  private func start() throws -> Double {
    switch from {
    case nil, "fridge": return 4
    case "room": return 20
    case let text?: return try celsius(text, option: "--from", example: "--from 7C")
    }
  }

  private func yolkTemperature() throws -> Double {
    if let yolk { return try celsius(yolk, option: "--yolk", example: "--yolk 65C") }
    return switch doneness {
    case .soft: 63
    case .medium: 70
    case .hard, .periodic: 77
    }
  }

  private func celsius(_ text: String, option: String, example: String) throws -> Double {
    guard let celsius = Measure.celsius(text) else {
      throw Failure(.usage, tr("'\(text.visible)' is not a temperature"), hint: example)
    }
    guard (0...100).contains(celsius) else {
      throw Failure(.usage, tr("\(option) takes 0 °C to 100 °C, not \(degrees(celsius))"), hint: example)
    }
    return celsius
  }

  private func metres() throws -> Double {
    guard let altitude else { return 0 }
    guard let metres = Measure.metres(altitude) else {
      throw Failure(.usage, tr("'\(altitude.visible)' is not an altitude"), hint: "--altitude 1500m")
    }
    guard BoilingWater.altitudes.contains(metres) else {
      throw Failure(.usage, tr("--altitude takes -430 m to 8849 m"), hint: "--altitude 1500m")
    }
    return metres
  }
}

extension EggSize: ExpressibleByArgument {
  /// In either case.
  init?(argument: String) { self.init(rawValue: argument.uppercased()) }
}

extension Boil {
  func boilPeriodically(_ form: AnswerForm, in surroundings: Surroundings) throws {
    let options = [
      ("--mass", mass != nil), ("--size", size != nil), ("--from", from != nil), ("--yolk", yolk != nil),
      ("--altitude", altitude != nil), ("--label", label != nil),
    ]
    if let option = options.first(where: \.1) {
      throw Failure(.usage, tr("boil periodic takes no \(option.0): its sixteen moves are fixed"))
    }
    guard !dryRun else {
      return try surroundings.output.answer(form, json: BoilAnswer(moves: Self.moves), numbers: []) {
        Self.moves.map { tr("in \(SpanText.whole($0.span))") + "   \($0.label)\n" }.joined() + Self.plan
      }
    }
    let zone = try surroundings.zoneName() ?? "UTC"
    let manner = try ring.manner(in: surroundings)
    let alarms = (1...PeriodicCooking.moves).map { alarm(move: $0, manner, zone: zone) }
    let connection = try Connection(surroundings)
    let made = try connection.add(alarms, to: group, connection.usualAlarm()).alarms
    try surroundings.output.answer(form, json: BoilAnswer(alarms: made), numbers: made.map(\.number)) {
      let text = AlarmText(moments: try Moments(surroundings))
      return made.map { text.line($0, base: $0.createdAt) }.joined() + Self.plan
    }
  }

  /// When each move comes, in place of the alarms.
  private static var moves: [BoilMove] {
    (1...PeriodicCooking.moves).map { BoilMove(span: span(of: $0), label: PeriodicCooking.label(of: $0)) }
  }

  private static func span(of move: Int) -> TimeSpan {
    TimeSpan(microseconds: PeriodicCooking.stay.microseconds * Int64(move))
  }

  private static let plan = """
    \(tr("Start with the eggs in water of 100 °C. Move them at each alarm; peel them after the last."))
    \(PeriodicCooking.source)

    """

  private func alarm(move: Int, _ manner: Manner, zone: String) -> Alarm {
    let span = Self.span(of: move)
    return Alarm(
      number: 0, id: AlarmID(), label: PeriodicCooking.label(of: move), eggs: count ?? 1,
      position: 0, manner: manner, timing: .countdown(span), expression: SpanText.canonical(span),
      forcedKind: nil, readingZone: zone, createdAt: Instant(microseconds: 0))
  }
}
