import Alarms
import ArgumentParser
import EggProtocol
import EggTime

/// `eggctl wait`: blocks until alarms ring.
struct Wait: Verb {
  static let configuration = CommandConfiguration(
    commandName: "wait", _superCommandName: Eggctl.name,
    abstract: "Wait until alarms ring.",
    discussion: """
      eggctl wait 12 && mpv done.ogg
      eggctl wait 12 13 --any --timeout 10m
      eggctl wait "$(eggctl schedule -q 6m30s)"

      Exit codes: 0 all have rung (with --any: the first), 2 one was deleted
      before it rang, 75 the time is out, 1 one will not ring as things are.

      An alarm that is ringing or has rung counts at once. For a recurring alarm
      that is not ringing, wait waits for its next ring. While eggd is away the
      wait goes on, and what rings or is deleted meanwhile counts.
      """)

  @Argument(help: ArgumentHelp("The alarms: numbers or UUIDs, at most 1000.", valueName: "number"))
  var alarms: [String] = []
  @Flag(help: "Wait for the first of them only.") var any = false
  @Option(help: ArgumentHelp("Wait no longer than this.", valueName: "span")) var timeout: String?
  @OptionGroup var bell: BellOptions
  @OptionGroup var answer: AnswerOptions

  func run(in surroundings: Surroundings) throws {
    let form = try answer.form()
    let asked = surroundings.now()
    let timeout = try timeout.map { try surroundings.span(reading: $0) }
    let start = ContinuousClock.now
    let deadline = timeout.map { start + .microseconds($0.microseconds) }
    // What has rung already is in the first reply, which counts however short the time is.
    let firstReply = deadline.map { max($0, start + surroundings.patience(0)) }
    var awaited = Awaited(try numbers(in: surroundings), any: any, since: asked)
    var unread = surroundings
    // The status is what matters here, whoever reads the words.
    unread.reader = nil
    let stream = try LiveStream(unread, awaited.call)
    while !awaited.isOver {
      switch try stream.next(until: awaited.isKnown ? deadline : firstReply) {
      case .message(let reply):
        let count = awaited.reply.rang.count
        awaited.take(reply)
        if bell.isOn, awaited.reply.rang.count > count { try surroundings.output.bell() }
      case .refused(.noSuchAlarm(let numbers, _)) where awaited.isKnown:
        awaited.areGone(numbers)
        stream.call = awaited.call
        if !awaited.isOver { try stream.begin() }
      case .refused(let error):
        throw Connection.failure(
          of: .refused(error), precondition: "it will not ring as things are", surroundings)
      case .away: try surroundings.output.hint("eggd is away; the wait goes on when it is back")
      case .time:
        throw awaited.isKnown ? awaited.lateness(timeout ?? .zero) : Connection.lateness
      case .back, .readerGone: break
      }
      stream.call = awaited.call
    }
    let reply = awaited.reply
    try surroundings.output.answer(form, json: reply, numbers: reply.rang) {
      reply.rang.isEmpty ? "" : "rang: \(reply.rang.numberList)\n"
    }
    if let failure = awaited.failure { throw failure }
  }

  /// Those that were named; a UUID is looked up, as the number is what goes on naming a deleted alarm.
  private func numbers(in surroundings: Surroundings) throws -> [Int64] {
    let selection = try WireSelection.only(alarms, verb: "wait")
    if let range = selection.ranges.first {
      throw Failure(
        .usage, "'\(range.first)-\(range.last)' is a range; alarms to wait for are named one by one",
        hint: "eggctl wait {\(range.first)..\(range.last)}")
    }
    var numbers = selection.numbers
    if !selection.ids.isEmpty {
      let connection = try Connection(surroundings)
      for id in selection.ids { numbers.append(try connection.read(ShowCall(id: id)).alarm.number) }
    }
    guard numbers.count <= 1_000 else {
      throw Failure(.usage, "at most 1000 alarms can be waited for at once")
    }
    return numbers
  }
}

/// What was waited for and what came of it, through all the connections that the wait took.
struct Awaited {
  private let any: Bool
  private let since: Instant
  private var remaining: [Int64]
  /// All that became known.
  private(set) var reply = WaitReply(rang: [], deleted: [], sequence: 0)
  /// Whether eggd has told that the alarms are there: those that it does not know any more were deleted.
  private(set) var isKnown = false

  init(_ numbers: [Int64], any: Bool, since: Instant) {
    (remaining, self.any, self.since) = (numbers, any, since)
  }

  /// What is to be asked for what is left.
  var call: WaitCall { WaitCall(numbers: remaining, any: any ? true : nil, since: since) }

  var isOver: Bool { any ? !(reply.rang.isEmpty && reply.deleted.isEmpty) : remaining.isEmpty }

  /// Takes what one connection has told so far.
  mutating func take(_ told: WaitReply) {
    isKnown = true
    reply.sequence = told.sequence
    for number in told.rang where settle(number) { reply.rang.append(number) }
    for number in told.deleted where settle(number) { reply.deleted.append(number) }
  }

  /// Takes that these are no more, and were before.
  mutating func areGone(_ numbers: [Int64]) {
    for number in numbers where settle(number) { reply.deleted.append(number) }
  }

  private mutating func settle(_ number: Int64) -> Bool {
    let count = remaining.count
    remaining.removeAll { $0 == number }
    return remaining.count < count
  }

  /// What is to be told of deleted alarms; nil where that is not what counts.
  var failure: Failure? {
    guard !reply.deleted.isEmpty, !any || reply.rang.isEmpty else { return nil }
    return Failure(
      .deleted, "\(Self.names(reply.deleted)) deleted before \(reply.deleted.count == 1 ? "it" : "they") rang"
    )
  }

  /// The time is out.
  func lateness(_ timeout: TimeSpan) -> Failure {
    let names = remaining.numberList
    return Failure(
      .timeout,
      any
        ? "none of \(names) rang within \(SpanText.canonical(timeout))"
        : "\(names) did not ring within \(SpanText.canonical(timeout))")
  }

  private static func names(_ numbers: [Int64]) -> String {
    numbers.count == 1 ? "\(numbers.numberList) was" : "\(numbers.numberList) were"
  }
}
