import Alarms
import EggProtocol
import EggTime
import Gettext

/// Finds alarms that words name: by number or UUID, by label, or as the one that rings.
struct AlarmNaming {
  let surroundings: Surroundings
  /// As it is typed.
  let verb: String
  /// The alarms that the verb fits: where a label is named, these come first.
  let fitting: ValueSource

  init(_ verb: String, fitting: ValueSource = .alarms, in surroundings: Surroundings) {
    self.verb = verb
    self.fitting = fitting
    self.surroundings = surroundings
  }

  /// The alarms of a verb without other words.
  func selection(_ words: [String], all: Bool = false) throws -> WireSelection {
    let (selection, rest) = try WireSelection.read(all ? words : numbered(words), all: all)
    if let word = rest.first { throw Failure.noAlarm(word) }
    try selection.check(verb: verb)
    return selection
  }

  /// The alarm of a verb that takes one.
  func name(_ word: String) throws -> AlarmName { try AlarmName(numbered([word])[0]) }

  /// Puts a number in the place of each label among the words that name alarms, which come first. A label is named as
  /// a whole, in any case. Throws if several alarms that fit have it.
  ///
  /// - Parameter isOwn: Whether words are the verb's own, such as a span.
  func numbered(_ words: [String], isOwn: ([String]) -> Bool = { _ in false }) throws -> [String] {
    var words = words
    for index in words.indices {
      if try WireSelection.read([words[index]]).rest.isEmpty { continue }
      guard !isOwn(Array(words[index...])), let number = try number(called: words[index]) else { break }
      words[index] = "\(number)"
    }
    return words
  }

  /// nil if no alarm has that label.
  private func number(called label: String) throws -> Int64? {
    let key = label.lowercased()
    func named(_ source: ValueSource) throws -> [WireAlarm] {
      try alarms(source).filter { $0.label?.lowercased() == key }
    }
    var found = try named(fitting)
    if found.isEmpty, fitting != .alarms { found = try named(.alarms) }
    guard found.count > 1 else { return found.first?.number }
    throw severalFit(
      found, tr("which alarm? '\(label.visible)' is the label of \(numbers(found))"), called: label)
  }

  /// The one alarm that rings. Throws if none or several do.
  func ringing() throws -> WireSelection {
    let found = try alarms(.snoozable)
    guard let first = found.first else {
      throw Failure(.refused, tr("no alarm is ringing"), hint: "eggctl list")
    }
    guard found.count > 1 else { return WireSelection(numbers: [first.number]) }
    let names = found.prefix(4).map { "#\($0.number)" + ($0.label.map { " (\($0.visible))" } ?? "") }
    throw severalFit(
      found,
      tr("which alarm? \(found.count > 4 ? numbers(found) : names.joined(separator: ", ")) are ringing"))
  }

  private func alarms(_ source: ValueSource) throws -> [WireAlarm] {
    guard let call = source.alarmCall else { return [] }
    var found: [WireAlarm] = []
    try Connection(surroundings).pages(call) { page in found += page.alarms.filter(source.fits) }
    return found
  }

  private func numbers(_ alarms: [WireAlarm]) -> String { alarms.map(\.number).numberList }

  /// With the typed command for each of the first few: the number in the place of the label, or behind the verb. One that
  /// is named already is none of them.
  private func severalFit(_ alarms: [WireAlarm], _ message: String, called label: String? = nil) -> Failure {
    let typed = surroundings.typed.isEmpty ? [verb] : surroundings.typed
    let place = label.flatMap { label in typed.firstIndex { $0 == label || $0.hasSuffix("=" + label) } }
    let commands = alarms.filter { !typed.contains("\($0.number)") }.prefix(4).map { alarm in
      var words = typed
      if let place, let label {
        words[place] = words[place].dropLast(label.count) + "\(alarm.number)"
      } else {
        words.insert("\(alarm.number)", at: 1)
      }
      return words.asCommand
    }
    // What rings can be answered at once.
    let all = label == nil && verb != "again" ? ["\(typed.asCommand) --all"] : []
    return Failure(.usage, message, hint: (all + commands).joined(separator: tr(", or ")))
  }
}

/// One alarm, by its number or by its identity: one of them is nil.
struct AlarmName {
  let number: Int64?
  let id: AlarmID?

  /// Reads `12`, `#12` or a UUID.
  init(_ word: String) throws {
    let selection = try WireSelection.read([word]).selection
    number = selection.numbers.first
    id = selection.ids.first
    guard number != nil || id != nil else { throw Failure.noAlarm(word, takesRanges: false) }
  }
}
