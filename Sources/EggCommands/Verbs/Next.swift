import ArgumentParser
import EggProtocol
import Gettext

struct Next: DatedAnswerVerb {
  static let configuration = CommandConfiguration(
    "next", tr("Show the alarm that rings next."),
    discussion: """
      eggctl next
      eggctl next --json
      eggctl next --format '{left} {label}'
      eggctl next --follow --format '{left} {label}'
      eggctl next --follow --plain --format '{time}'

      Placeholders: {left} {label} {number} {due} {time} {eggs} {category}
      {state} {group}; {{ and }} are braces. If no alarm is waiting, the line is
      empty.

      --follow prints a JSON line at each change, as waybar's custom modules read it
      ("return-type": "json", "escape": true), with text, tooltip, alt and class.
      The class is the alarm's state, "none" if no alarm is waiting, or "away" while
      eggd is not running. --plain prints only the text, for polybar ("tail = true")
      and others.
      """)

  @Option(help: ArgumentHelp("Print this, with placeholders filled in.", valueName: "text"))
  var format: String?
  @Flag(help: "Print a JSON line at each change.") var follow = false
  @Flag(help: "With --follow: print only the text.") var plain = false
  @OptionGroup var answer: DatedAnswerOptions

  func run(in surroundings: Surroundings) throws {
    let form = try answer.form()
    if plain, !follow { throw Failure(.usage, tr("--plain needs --follow")) }
    if form != .text, follow || format != nil {
      throw Failure(.usage, tr("--format and --follow exclude --json and --quiet"))
    }
    let format = try format.map(NextFormat.init)
    if follow { return try NextFollowing(surroundings, format: format, isPlain: plain).run() }
    let alarm = try Connection(surroundings).nextAlarm()
    if let format {
      let moments = try Moments(surroundings)
      return try surroundings.output.data((alarm.map { format.text($0, moments) } ?? "") + "\n")
    }
    guard let alarm else {
      return try surroundings.output.answer(form, json: [String: Int](), numbers: []) {
        tr("no alarm is waiting") + "\n"
      }
    }
    try surroundings.show(alarm, base: nil, as: form)
  }
}

extension Connection {
  /// The alarm that rings first; nil if no alarm is waiting.
  func nextAlarm() throws -> WireAlarm? {
    // Alarms without a next ring are last.
    var call = ListCall(limit: 1, order: .due)
    // Counting a million alarms takes a tenth of a second.
    call.totals = false
    return try read(call).alarms.first { $0.due != nil }
  }
}
