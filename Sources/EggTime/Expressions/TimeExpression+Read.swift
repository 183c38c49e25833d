extension TimeExpression {
  /// `kind` restricts the class, as `in`, `at` and `every` do.
  ///
  /// Accepts moments in the past; ``instant(in:)`` refuses them.
  public static func read(
    _ text: String, in context: ReadingContext, as kind: ExpressionKind? = nil
  ) throws(ExpressionError) -> TimeExpression {
    let reader = ExpressionReader(text, as: kind)
    do throws(Misread) {
      return try TimeExpression(text, from: reader, in: context)
    } catch {
      let readings = reader.readings(error, in: context) { ifRead($0, in: context, as: kind) != nil }
      throw .unreadable(offset: error.offset, reason: error.reason, readings: readings)
    }
  }

  /// A span, as systemd writes it or in words.
  ///
  /// Throws `unreadable` for anything else.
  public static func span(_ text: String, in context: ReadingContext) throws(ExpressionError) -> TimeSpan {
    do throws(ExpressionError) {
      if case .span(let span) = try read(text, in: context, as: .span).reading { return span }
      throw .unreadable(offset: 0, reason: .spanWanted, readings: [])
    } catch {
      // `ten minutes`: under `--in` numbers are digits.
      if case .span(let span)? = try? read(text, in: context).reading { return span }
      throw error
    }
  }

  /// Why a text is refused; nil for one that is read.
  public static func refusal(
    of text: String, in context: ReadingContext, as kind: ExpressionKind? = nil
  ) -> ExpressionError? {
    do throws(ExpressionError) {
      _ = try read(text, in: context, as: kind)
      return nil
    } catch {
      return error
    }
  }

  /// Whether a text is read as a time, or refused with its readings.
  static func mayMean(_ text: String, in context: ReadingContext, as kind: ExpressionKind? = nil) -> Bool {
    refusal(of: text, in: context, as: kind).map { !$0.readings.isEmpty } ?? true
  }

  /// nil for a text that cannot be read. Quicker than ``read(_:in:as:)``, which looks for what was meant instead.
  package static func ifRead(
    _ text: String, in context: ReadingContext, as kind: ExpressionKind? = nil
  ) -> TimeExpression? {
    try? TimeExpression(text, from: ExpressionReader(text, as: kind), in: context)
  }

  private init(
    _ text: String, from reader: ExpressionReader, in context: ReadingContext
  ) throws(Misread) {
    let form = try reader.form()
    self = try Evaluation(context: context, as: reader.kind).expression(form, start: reader.start)
    self.text = text
    isDayAlone = form.isDayAlone
    if case .recurring = reading { kind = .calendar } else if case .span = form { kind = .span }
  }

  /// Whether the same text, read later, could name a future moment. False for one fixed moment (a full date,
  /// `@`) and for the past (`ago`, `yesterday`); true for a text that cannot be read. Reads no file.
  public static func canLieAhead(_ text: String) -> Bool {
    (try? ExpressionReader(text, as: nil).form())?.canLieAhead ?? true
  }

  /// When it rings if scheduled at the context's `now`. A span counts from there; a civil time is resolved on
  /// its zone's present clock; a recurring time gives its first elapse after `now` and not before `from`.
  ///
  /// Throws `inThePast` when that is not after `now` (never for a span), and `unreadable` when the named zone
  /// is gone or a recurring time never elapses again.
  public func instant(in context: ReadingContext) throws(ExpressionError) -> Instant {
    let due: Instant
    switch reading {
    case .span(let span): return context.now + span
    case .instant(let instant): due = instant
    case .civil(let civil, let name): due = try zone(name, in: context).resolve(civil).instant
    case .recurring:
      guard let next = try moments(in: context, count: 1).first else {
        throw .unreadable(offset: 0, reason: .neverElapses, readings: [])
      }
      return next
    }
    guard due > context.now else { throw .inThePast(due) }
    return due
  }

  /// A recurring time elapses strictly after this.
  func base(in context: ReadingContext) -> Instant {
    var context = context
    context.from = from ?? context.from
    return context.base
  }

  func zone(_ name: String?, in context: ReadingContext) throws(ExpressionError) -> Zone {
    guard let name else { return context.zone }
    do throws(ZoneError) {
      return try context.loadZone(name)
    } catch {
      throw .unreadable(offset: 0, reason: .unusableZone, readings: [])
    }
  }
}
