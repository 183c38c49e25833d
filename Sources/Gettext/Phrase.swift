/// An English text with values, to be looked up in a catalogue of another language.
///
/// Written as a literal: `"alarm \(number) is \(state)"`. The catalogue holds it as `alarm %s is %s`. A translation
/// names the values `%s` in the same order, or `%1$s`, `%2$s` in any order.
public struct Phrase: ExpressibleByStringInterpolation, Sendable {
  /// The literal's pieces; one more than there are values.
  private var first: String
  private var rest: [(value: String, piece: String)] = []
  /// Sets apart equal texts that another language words differently.
  public private(set) var context: String?

  public init(stringLiteral text: String) { first = text }

  public init(stringInterpolation parts: Interpolation) {
    first = parts.first
    rest = parts.rest
  }

  public init(_ phrase: Phrase, context: String) {
    self = phrase
    self.context = context
  }

  public struct Interpolation: StringInterpolationProtocol {
    fileprivate var first = ""
    fileprivate var rest: [(value: String, piece: String)] = []

    public init(literalCapacity: Int, interpolationCount: Int) { rest.reserveCapacity(interpolationCount) }

    public mutating func appendLiteral(_ text: String) {
      if rest.isEmpty { first += text } else { rest[rest.count - 1].piece += text }
    }

    public mutating func appendInterpolation(_ value: some CustomStringConvertible) {
      rest.append((value.description, ""))
    }
  }

  /// In English.
  public var text: String { rest.reduce(first) { $0 + $1.value + $1.piece } }

  /// What the catalogue finds it by: `alarm %s is %s`, with `%%` for a per cent sign.
  public var key: String {
    rest.reduce(Self.escaped(first)) { $0 + "%s" + Self.escaped($1.piece) }
  }

  private static func escaped(_ piece: String) -> String {
    piece.utf8.contains(UInt8(ascii: "%"))
      ? piece.split(separator: "%", omittingEmptySubsequences: false).joined(separator: "%%") : piece
  }

  /// A translation with the values in their places. A place without a value stays empty; msgfmt(1) refuses such
  /// translations.
  public func filling(_ translation: String) -> String {
    guard translation.utf8.contains(UInt8(ascii: "%")) else { return translation }
    var text = ""
    var left = translation[...]
    var next = 0
    while let percent = left.firstIndex(of: "%") {
      text += left[..<percent]
      left = left[left.index(after: percent)...]
      let number = left.prefix { ("0"..."9").contains($0) }
      if number.isEmpty {
        switch left.popFirst() {
        case nil: break
        case "%": text += "%"
        default:
          if rest.indices.contains(next) { text += rest[next].value }
          next += 1
        }
      } else {
        let index = (Int(number) ?? 0) - 1
        if rest.indices.contains(index) { text += rest[index].value }
        left = left.dropFirst(number.count + 2)
      }
    }
    return text + left
  }
}

/// Words a phrase in a language.
public typealias Wording = @Sendable (Phrase) -> String

extension Phrase {
  /// The wording of journal and wire.
  public static let english: Wording = { $0.text }
}
