import ArgumentParser
import EggProtocol
import Gettext

struct Skip: DatedAnswerVerb {
  static let configuration = CommandConfiguration(
    "skip", tr("Skip the next ring of alarms, or days of recurring ones."),
    usage: "eggctl skip NUMBER … [OPTION …]",
    discussion: """
      eggctl skip 12
      eggctl skip 12 --until monday
      eggctl skip --group work --from "24 dec" --until "2 jan"
      eggctl skip 12 --clear

      A recurring alarm continues with the ring after that. A one-shot is over; it
      stays in the list as skipped. --until names the day of return: a recurring
      alarm is quiet from today, or from --from, to the day before.
      """)

  @Argument(help: .alarms, completion: .values(.skippable)) var alarms: [String] = []
  @Flag(help: "Every waiting alarm.") var all = false
  @Option(
    help: ArgumentHelp("The recurring alarms of a group.", valueName: "name"), completion: .values(.groups))
  var group: String?
  @Option(help: ArgumentHelp("The first day to skip; today by default.", valueName: "day"))
  var from: String?
  @Option(help: ArgumentHelp("The day of return.", valueName: "day"))
  var until: String?
  @Flag(help: "Forget the days to skip.") var clear = false
  @OptionGroup var answer: DatedAnswerOptions

  func run(in surroundings: Surroundings) throws {
    let form = try answer.form()
    if clear, from != nil || until != nil {
      throw Failure(.usage, tr("--clear excludes --from and --until"))
    }
    if from != nil, until == nil {
      throw Failure(.usage, tr("--from needs --until, the day of return"), hint: "eggctl help skip")
    }
    if group != nil, all || !alarms.isEmpty {
      throw Failure(.usage, tr("--group, --all and named alarms exclude each other"))
    }
    let first = try from.map { try surroundings.day(reading: $0) }
    let last = try until.map { try surroundings.dayOfReturn(reading: $0, first: first) }
    let naming = AlarmNaming("skip", fitting: .skippable, in: surroundings)
    let named = group == nil ? try naming.selection(alarms, all: all) : nil
    let connection = try Connection(surroundings)
    var call = SkipCall(try named ?? connection.recurring(in: group ?? ""))
    guard last != nil || clear else {
      let reply = try connection.change(call, precondition: tr("it has no next ring"))
      return try surroundings.show(reply, as: form, empty: tr("no alarm is waiting"))
    }
    call.from = first
    call.until = last
    call.clear = clear ? true : nil
    try surroundings.skipDays(call, connection, as: form)
  }
}

extension Connection {
  /// The recurring alarms of a group that are not over.
  fileprivate func recurring(in group: String) throws -> WireSelection {
    var numbers: [Int64] = []
    try pages(ListCall(fields: [.kind], group: group)) { page in
      numbers += page.alarms.filter {
        $0.kind == .every && [.scheduled, .ringing, .snoozed, .paused].contains($0.state)
      }.map(\.number)
    }
    guard !numbers.isEmpty else {
      throw Failure(
        .refused, tr("no alarm of the group '\(group.visible)' recurs"),
        hint: "eggctl group show \(group.shellQuoted)")
    }
    return WireSelection(numbers: numbers)
  }
}
