/// A piece of a sentence.
struct Token {
  enum Kind {
    /// Digits, with a point and further digits where there were any.
    case number(TypedNumber)
    /// `7:30`, `07:30:15.5`, as it was typed.
    case clock(TimeOfDay, hourDigits: Int)
    /// A date in digits, whose parts are still to be told apart.
    case date(NumericDate)
    /// An offset or a zone's name.
    case zone(ZoneForm)
    /// A word, with all that it may mean.
    case word([Meaning])
    /// A word that says nothing about time.
    case unknown(String)
    /// `,`
    case comma
    case plus
    /// Also between words: `Mon-Fri`.
    case hyphen
    /// `..`
    case range
  }

  var kind: Kind
  /// In bytes from the start of the text.
  var start: Int
  var end: Int
  /// Whether nothing stands between it and the token before it.
  var isGlued: Bool

  /// What a word means; empty for all else.
  var meanings: [Meaning] {
    if case .word(let meanings) = kind { meanings } else { [] }
  }
}

/// A number in digits.
struct TypedNumber {
  var whole: Int64
  /// How many digits stand before the point.
  var digits: Int
  /// The digits behind the point; nil where there is no point.
  var fraction: [UInt8]?

  /// The number where it is a whole one, as small numbers are needed.
  var count: Int? { fraction == nil ? Int(exactly: whole) : nil }

  /// That many of a unit, in microseconds; what is below is cut, digit by digit, as systemd does. nil where 64 bits
  /// do not hold it.
  func times(_ unit: Int64) -> Int64? {
    let (product, overflow) = whole.multipliedReportingOverflow(by: unit)
    guard !overflow else { return nil }
    var (total, weight) = (product, unit)
    for digit in fraction ?? [] {
      weight /= 10
      let (sum, overflow) = total.addingReportingOverflow(Int64(digit) * weight)
      guard !overflow else { return nil }
      total = sum
    }
    return total
  }

  /// `7.30`, `0730` and `930` as hour and minute; nil for what is no such time. 24:00 and later are none.
  var asClock: TimeOfDay? {
    let hour: Int64
    let minute: Int64
    if let fraction {
      guard digits <= 2, fraction.count == 2 else { return nil }
      (hour, minute) = (whole, Int64(fraction[0]) * 10 + Int64(fraction[1]))
    } else {
      guard digits == 3 || digits == 4 else { return nil }
      (hour, minute) = whole.quotientAndRemainder(dividingBy: 100)
    }
    guard hour <= 23, minute <= 59 else { return nil }
    return TimeOfDay(hour: Int(hour), minute: Int(minute))
  }
}

/// A date in digits.
struct NumericDate {
  enum Separator: Hashable {
    case hyphen
    case slash
    case point
  }

  var parts: [(value: Int, digits: Int, offset: Int)]
  var separator: Separator
}
