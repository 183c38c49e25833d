import ArgumentParser
import EggProtocol
import EggTime
import Gettext

struct Wait: Verb {
  static let configuration = CommandConfiguration(
    "wait", tr("Wait until alarms ring."),
    discussion: """
      eggctl wait 12 && mpv done.ogg
      eggctl wait 12 13 --any --timeout 10m
      eggctl wait "$(eggctl schedule -q 6m30s)"

      Exits with 0 when all have rung (with --any: the first), 2 if an alarm was
      deleted before it rang, 75 at the time-out, 1 if an alarm will not ring.

      An alarm that is ringing or has rung counts at once; a recurring alarm that is
      not ringing counts at its next ring. While eggd is away the wait continues,
      and what happens meanwhile counts.
      """)

  @Argument(
    help: ArgumentHelp("The alarms: numbers, labels or UUIDs, at most 1000.", valueName: "number"),
    completion: .values(.awaitable))
  var alarms: [String] = []
  @Flag(help: "Wait only for the first ring.") var any = false
  @Option(
    parsing: .unconditional, help: ArgumentHelp("Wait no longer than this.", valueName: "span"))
  var timeout: String?
  @Flag(help: .noBell) var noBell = false
  @OptionGroup var answer: AnswerOptions

  func run(in surroundings: Surroundings) throws {
    let form = try answer.form()
    let asked = surroundings.now()
    let timeout = try timeout.map { try surroundings.span(reading: $0) }
    let start = ContinuousClock.now
    let deadline = timeout.map { start + .microseconds($0.microseconds) }
    // The first reply tells what has already rung, so it is waited for even if the time-out is shorter.
    let firstReply = deadline.map { max($0, start + surroundings.patience(0)) }
    var awaited = Awaited(try numbers(in: surroundings), any: any, since: asked)
    var unread = surroundings
    // The exit status matters even if nobody reads the output.
    unread.reader = nil
    let stream = try LiveStream(unread, awaited.call)
    while !awaited.isOver {
      switch try stream.next(until: awaited.isKnown ? deadline : firstReply) {
      case .message(let reply):
        let count = awaited.reply.rang.count
        awaited.take(reply)
        if !noBell, awaited.reply.rang.count > count { try surroundings.output.bell() }
      case .refused(.noSuchAlarm(let numbers, _)) where awaited.isKnown:
        awaited.take(WaitReply(rang: [], deleted: numbers, sequence: awaited.reply.sequence))
        stream.call = awaited.call
        if !awaited.isOver { try stream.begin() }
      case .refused(let error):
        throw Connection.failure(
          of: .refused(error), precondition: tr("it will not ring as things stand"), surroundings)
      case .away: try surroundings.output.hint(tr("eggd is away; the wait goes on when it is back"))
      case .time:
        throw awaited.isKnown ? awaited.lateness(timeout ?? .zero) : Connection.lateness
      case .back, .readable, .readerGone: break
      }
      stream.call = awaited.call
    }
    let reply = awaited.reply
    try surroundings.output.answer(form, json: reply, numbers: reply.rang) {
      reply.rang.isEmpty ? "" : tr("rang: \(reply.rang.numberList)") + "\n"
    }
    if let failure = awaited.failure { throw failure }
  }

  /// Looks up UUIDs: only a number still names a deleted alarm.
  private func numbers(in surroundings: Surroundings) throws -> [Int64] {
    let selection = try AlarmNaming("wait", fitting: .awaitable, in: surroundings).selection(alarms)
    if let range = selection.ranges.first {
      throw Failure(
        .usage, tr("'\(range.first)-\(range.last)' is a range; give the alarms one by one"),
        hint: "eggctl wait {\(range.first)..\(range.last)}")
    }
    var numbers = selection.numbers
    if !selection.ids.isEmpty {
      let connection = try Connection(surroundings)
      for id in selection.ids { numbers.append(try connection.read(ShowCall(id: id)).alarm.number) }
    }
    guard numbers.count <= 1_000 else {
      throw Failure(.usage, tr("wait takes at most 1000 alarms"))
    }
    return numbers
  }
}

/// The awaited alarms and what happened to them, over all connections of the wait.
struct Awaited {
  private let any: Bool
  private let since: Instant
  private var remaining: [Int64]
  private(set) var reply = WaitReply(rang: [], deleted: [], sequence: 0)
  /// Whether eggd has confirmed that the alarms exist. Alarms it no longer knows then were deleted.
  private(set) var isKnown = false

  init(_ numbers: [Int64], any: Bool, since: Instant) {
    remaining = numbers
    self.any = any
    self.since = since
  }

  var call: WaitCall { WaitCall(numbers: remaining, any: any ? true : nil, since: since) }

  var isOver: Bool { any ? !(reply.rang.isEmpty && reply.deleted.isEmpty) : remaining.isEmpty }

  mutating func take(_ told: WaitReply) {
    isKnown = true
    reply.sequence = told.sequence
    for number in told.rang where settle(number) { reply.rang.append(number) }
    for number in told.deleted where settle(number) { reply.deleted.append(number) }
  }

  private mutating func settle(_ number: Int64) -> Bool {
    let count = remaining.count
    remaining.removeAll { $0 == number }
    return remaining.count < count
  }

  /// The failure for deleted alarms; nil if they do not decide the outcome.
  var failure: Failure? {
    guard !reply.deleted.isEmpty, !any || reply.rang.isEmpty else { return nil }
    return Failure(
      .deleted,
      tr(
        one: "\(reply.deleted.numberList) was deleted before it rang",
        many: "\(reply.deleted.numberList) were deleted before they rang", count: Int64(reply.deleted.count)))
  }

  func lateness(_ timeout: TimeSpan) -> Failure {
    let names = remaining.numberList
    return Failure(
      .timeout,
      any
        ? tr("none of \(names) rang within \(SpanText.canonical(timeout))")
        : tr("\(names) did not ring within \(SpanText.canonical(timeout))"))
  }
}
