import Alarms
import EggProtocol
import EggTime
import Gettext

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
    let made = try connection.add(
      alarms, to: group, connection.usualAlarm(in: surroundings), in: surroundings
    ).alarms
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
