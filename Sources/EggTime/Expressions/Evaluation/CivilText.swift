/// Dates alone and times of day alone, as in an expression. Neither names a moment.
public enum CivilText {
  /// A date in any form that an expression allows, from year 0 on: `1946-05-05`, `5 May 1946`, `1946. 05.
  /// 05.`, `yesterday`. nil for a time of day, a date without a year, or a weekday.
  ///
  /// Throws `unreadable` for a text that cannot be read and for a date that does not exist.
  public static func date(_ text: String, today: CivilDateTime) throws(ExpressionError) -> CivilDate? {
    try part(of: text) { form in
      guard form.day == nil, form.time == nil, form.zone == nil else { return nil }
      switch form.date {
      case .full(let year, let month, let day): return CivilDate(year: year, month: month, day: day)
      case .relative(let days): return CivilDate(CivilDateTime(dayNumber: today.dayNumber + days))
      case .inMonth, .yearly, .shifted, nil: return nil
      }
    }
  }

  /// A time of day, on 1970-01-01: `09:00`, `9:30 pm`, `noon`. nil for more or less than that.
  ///
  /// Throws `unreadable` for a text that cannot be read and for a time that does not exist.
  public static func timeOfDay(_ text: String) throws(ExpressionError) -> CivilDateTime? {
    try part(of: text) { form in
      guard form.date == nil, form.day == nil, form.zone == nil, let time = form.time, time.microsecond == 0
      else { return nil }
      return time.on(CivilDateTime(dayNumber: 0))
    }
  }

  /// Of the readings that a refusal has, those are offered that have the part.
  private static func part<Part>(
    of text: String, _ pick: (CivilForm) -> Part?
  ) throws(ExpressionError) -> Part? {
    func read(_ reader: ExpressionReader) throws(Misread) -> Part? {
      if case .civil(let form) = try reader.form() { pick(form) } else { nil }
    }
    let reader = ExpressionReader(text, as: .timestamp, earliestYear: 0)
    do throws(Misread) {
      return try read(reader)
    } catch {
      let readings = (error.readings + [reader.corrected(error)].compactMap { $0 })
        .filter { (try? read(ExpressionReader($0, as: .timestamp, earliestYear: 0))) ?? nil != nil }
      throw .unreadable(offset: error.offset, reason: error.reason, readings: readings)
    }
  }
}
