struct Token {
  enum Kind {
    /// Digits, with an optional point and further digits.
    case number(TypedNumber)
    /// `7:30`, `07:30:15.5`, as typed.
    case clock(TimeOfDay, hourDigits: Int)
    /// A date in digits, its order still unknown.
    case date(NumericDate)
    /// An offset or a zone's name.
    case zone(ZoneForm)
    case word([Meaning])
    /// A word that says nothing about time.
    case unknown(String)
    case mark(Mark)
  }

  enum Mark {
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
  var range: Range<Int> { start..<end }
  /// Directly follows the token before it.
  var isGlued: Bool

  func isMark(_ mark: Mark) -> Bool { if case .mark(mark) = kind { true } else { false } }

  /// Empty unless it is a word.
  var meanings: [Meaning] {
    if case .word(let meanings) = kind { meanings } else { [] }
  }
}

/// A number in digits.
struct TypedNumber {
  var whole: Int64
  /// Digits before the point.
  var digits: Int
  /// Digits after the point; nil without a point.
  var fraction: [UInt8]?

  /// nil unless it is whole.
  var count: Int? { fraction == nil ? Int(exactly: whole) : nil }

  /// That many units, in microseconds, truncated digit by digit as systemd does; nil on overflow.
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

  /// `7.30`, `0730` and `930` as hour and minute; nil for no valid time, 24:00 included.
  var asClock: TimeOfDay? {
    let hour: Int64
    let minute: Int64
    if let fraction {
      guard digits <= 2, fraction.count == 2 else { return nil }
      hour = whole
      minute = Int64(fraction[0]) * 10 + Int64(fraction[1])
    } else {
      guard digits == 3 || digits == 4 else { return nil }
      (hour, minute) = whole.quotientAndRemainder(dividingBy: 100)
    }
    guard hour <= 23, minute <= 59 else { return nil }
    return TimeOfDay(hour: Int(hour), minute: Int(minute))
  }
}

struct NumericDate {
  enum Separator: Unicode.Scalar, CaseIterable {
    case hyphen = "-"
    case slash = "/"
    case point = "."
  }

  typealias Part = (value: Int, digits: Int, offset: Int)

  var parts: [Part]
  var separator: Separator
}
