/// Dates alone and times of day alone, as in an expression. Neither names a moment.
public enum CivilText {
  /// A date in any form that an expression allows, from year 0 on: `1946-05-05`, `5 May 1946`, `1946. 05.
  /// 05.`, `yesterday`. nil for a time of day, a date without a year, or a weekday.
  ///
  /// Throws `unreadable` for a text that cannot be read and for a date that does not exist.
  public static func date(_ text: String, today: CivilDateTime) throws(ExpressionError) -> CivilDate? {
    func date(_ form: Form) -> CivilDate? { Self.date(form, today: today) }
    return date(try form(text) { date($0) != nil })
  }

  private static func date(_ form: Form, today: CivilDateTime) -> CivilDate? {
    guard case .civil(let form) = form, form.day == nil, form.time == nil, form.zone == nil else {
      return nil
    }
    switch form.date {
    case .full(let year, let month, let day): return CivilDate(year: year, month: month, day: day)
    case .relative(let days): return CivilDate(CivilDateTime(dayNumber: today.dayNumber + days))
    case .inMonth, .yearly, .shifted, nil: return nil
    }
  }

  /// A time of day, on 1970-01-01: `09:00`, `9:30 pm`, `noon`. nil for more or less than that.
  ///
  /// Throws `unreadable` for a text that cannot be read and for a time that does not exist.
  public static func timeOfDay(_ text: String) throws(ExpressionError) -> CivilDateTime? {
    timeOfDay(try form(text) { timeOfDay($0) != nil })
  }

  private static func timeOfDay(_ form: Form) -> CivilDateTime? {
    guard case .civil(let form) = form, form.date == nil, form.day == nil, form.zone == nil,
      let time = form.time, time.microsecond == 0
    else { return nil }
    return time.on(CivilDateTime(dayNumber: 0))
  }

  private static func reader(_ text: String) -> ExpressionReader {
    ExpressionReader(text, as: .timestamp, earliestYear: 0)
  }

  /// `isWanted` filters the readings to offer.
  private static func form(_ text: String, isWanted: (Form) -> Bool) throws(ExpressionError) -> Form {
    let reader = Self.reader(text)
    do throws(Misread) {
      return try reader.form()
    } catch {
      let readings = (error.readings + [reader.corrected(error)].compactMap { $0 }).filter { text in
        (try? Self.reader(text).form()).map(isWanted) ?? false
      }
      throw .unreadable(offset: error.offset, reason: error.reason, readings: readings)
    }
  }
}
