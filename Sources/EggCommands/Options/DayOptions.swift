import EggProtocol
import EggTime
import Gettext

extension Surroundings {
  /// The day that a text names, or that is so many days away: `in 2 weeks`, `now + 1 month`. Refuses a time of day.
  func day(reading text: String) throws -> CivilDate {
    let expression: TimeExpression
    do {
      expression = try TimeExpression.read(
        text, in: ReadingContext(now: now(), zone: try zone(), dayAt: .midnight))
    } catch let error as ExpressionError {
      var failure = Failure(error, of: text)
      if error.readings.isEmpty { failure.hint = Self.anyDay }
      throw failure
    }
    let today = try zone().civil(at: now())
    switch expression.reading {
    case .civil(let civil, _) where expression.isDayAlone || TimeOfDay(civil) == TimeOfDay(today):
      if let day = CivilDate(civil) { return day }
    case .span(let span) where span.microseconds.isMultiple(of: 86_400_000_000):
      let days = Int(span.microseconds / 86_400_000_000)
      if let day = CivilDate(CivilDateTime(dayNumber: today.dayNumber + days)) { return day }
    default: break
    }
    throw Failure(.usage, tr("'\(text.visible)' is not a day"), hint: Self.anyDay)
  }

  private static var anyDay: String { tr("enter a day: monday, 'dec 24', 2027-01-02") }

  func today() throws -> CivilDate { CivilDate(dayNumber: try zone().civil(at: now()).dayNumber) }

  /// The day of return, which is after today and after `first`.
  func dayOfReturn(reading text: String, first: CivilDate? = nil) throws -> CivilDate {
    let day = try day(reading: text)
    if let first, day.dayNumber <= first.dayNumber {
      throw Failure(.usage, tr("--until is not after --from"))
    }
    guard day.dayNumber > (try today()).dayNumber else {
      throw Failure(.usage, tr("--until is the day of return, and '\(text.visible)' is not after today"))
    }
    return day
  }

  /// Sets or clears the days on which recurring alarms keep quiet, and prints the result.
  func skipDays(_ call: SkipCall, _ connection: Connection, as form: AnswerForm) throws {
    let reply = try connection.change(
      call, precondition: tr("only recurring alarms that are not over can skip days; use edit"))
    try show(reply, as: form) { $0.quietLine($1) }
    let paused = reply.alarms.filter { $0.state == .paused }.map { String($0.number) }
    if !paused.isEmpty { try output.hint("eggctl resume \(paused.joined(separator: " "))") }
  }
}
