import ArgumentParser
import EggProtocol
import EggTime
import Gettext

struct Extend: DatedAnswerVerb {
  static let configuration = CommandConfiguration(
    "extend", tr("Make alarms ring later, or earlier by a negative span."),
    usage: "eggctl extend NUMBER … SPAN [OPTION …]",
    discussion: """
      eggctl extend 12 2m
      eggctl extend 12 ten minutes
      eggctl extend 12 13 -30s
      eggctl extend --all 1h

      It moves the moment of a one-shot, the end of a snooze, or what is left of a
      paused countdown. For a recurring alarm use skip or edit.
      """)

  // A span such as -30s is not an option.
  @Argument(
    parsing: .allUnrecognized, help: ArgumentHelp("The alarms, then the span.", valueName: "number"),
    completion: .values(.extendable))
  var words: [String] = []
  @Flag(help: "Every alarm that can be extended.") var all = false
  @OptionGroup var answer: DatedAnswerOptions

  static var precondition: String { tr("recurring or finished alarms cannot be extended; use edit") }

  func run(in surroundings: Surroundings) throws {
    let form = try answer.form()
    let words = words.filter { $0 != "--" && $0 != "by" }
    if let option = words.first(where: { $0.hasPrefix("-") && !($0.dropFirst().first?.isNumber ?? false) }) {
      throw Failure(.usage, tr("unknown option '\(option.visible)'"), hint: "eggctl help extend")
    }
    let (selection, text) = try surroundings.selectionAndSpan(
      reading: words, all: all, AlarmNaming("extend", fitting: .extendable, in: surroundings))
    guard !text.isEmpty else {
      let names = all ? ["--all"] : words.map(\.shellQuoted)
      func extend(_ names: ArraySlice<String>, by span: String) -> String {
        "eggctl extend \(TypedWords.spaced(names)) \(span)"
      }
      var commands = [extend(names[...], by: "5m")]
      // `extend 12 5`
      if !all, names.count > 1, let last = names.last, last.allSatisfy({ "0"..."9" ~= $0 }) {
        commands.insert(extend(names.dropLast(), by: last + "m"), at: 0)
      }
      throw Failure(.usage, tr("by how much?"), hint: commands.joined(separator: tr(", or ")))
    }
    let isEarlier = text.hasPrefix("-")
    let magnitude: TimeSpan
    do {
      magnitude = try surroundings.span(
        reading: isEarlier || text.hasPrefix("+") ? String(text.dropFirst()) : text)
    } catch var failure as Failure {
      let context = try surroundings.readingContext()
      if !all, selection.numbers.count == 1, case .until(let moment)? = SnoozeWords(text, in: context) {
        failure.hint = "eggctl edit \(words[0].shellQuoted) \(moment.shellQuoted)"
      }
      throw failure
    }
    let reply = try Connection(surroundings).change(
      ExtendCall(selection, span: isEarlier ? .zero - magnitude : magnitude),
      precondition: Self.precondition,
      refusal: { error in
        guard case .wrongState(let number, .ringing) = error else { return nil }
        return Failure(
          .refused, tr("alarm \(number) is ringing, and only what waits can be extended"),
          hint: "eggctl snooze \(number)"
            + (isEarlier || magnitude == .zero ? "" : " \(SpanText.canonical(magnitude).shellQuoted)")
        )
      })
    try surroundings.show(reply, as: form, empty: tr("no alarm can be extended"))
  }
}
