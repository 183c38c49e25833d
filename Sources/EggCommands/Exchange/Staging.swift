import EggProtocol
import ICalendar

/// What of a file cannot be used.
struct ImportProblem {
  /// From 1.
  var line: Int
  var text: String
}

extension ImportProblem {
  /// What was wrong with an entry of a calendar.
  init(_ problem: CalendarProblem) {
    self.init(
      line: problem.line,
      text: problem.summary.map { "'\($0)': \(problem.message)" } ?? problem.message)
  }
}

/// Sends alarms to eggd in chunks, which it keeps until they are committed together.
struct Staging {
  /// What could not be used, by line once ``finish()`` was called.
  private(set) var problems: [ImportProblem] = []
  /// How many alarms eggd keeps for the commit.
  private(set) var staged: Int64 = 0
  private let connection: Connection
  private let output: Output
  private let group: String?
  private var alarms: [ImportedAlarm] = []
  private var lines: [Int] = []
  private var groups: [WireGroup] = []
  /// Of what is not sent yet.
  private var weight = CallWeight()
  /// The lines of chunks that were sent and not answered yet.
  private var underWay: [[Int]] = []

  /// So many make a message that costs others no noticeable wait; fewer where they have long histories.
  private static let chunk = 100
  /// So many are sent ahead: while eggd stores them, the next ones are read.
  private static let chunksAhead = 4

  init(_ connection: Connection, _ output: Output, group: String?) {
    self.connection = connection
    self.output = output
    self.group = group
  }

  mutating func add(_ alarm: ImportedAlarm, line: Int) throws {
    var alarm = alarm
    if let group { alarm.alarm.group = group }
    let weight = CallWeight(of: alarm)
    guard weight.isWithin(.most) else {
      return refuse(ImportProblem(line: line, text: "it is larger than eggd takes"))
    }
    try makeRoom(for: weight)
    alarms.append(alarm)
    lines.append(line)
    if alarms.count >= Self.chunk { try send() }
  }

  mutating func add(_ group: WireGroup) throws {
    // All alarms go to the one that was asked for.
    guard self.group == nil else { return }
    try makeRoom(for: CallWeight(of: group))
    groups.append(group)
  }

  mutating func refuse(_ problem: ImportProblem) { problems.append(problem) }

  /// Sends what is left, and waits until all of it is staged.
  mutating func finish() throws {
    try send()
    while !underWay.isEmpty { try receive() }
    problems.sort { $0.line < $1.line }
  }

  /// Sends what is there already where both together would be too much for a call.
  private mutating func makeRoom(for more: CallWeight) throws {
    if !(weight + more).isWithin(.full) { try send() }
    weight = weight + more
  }

  private mutating func send() throws {
    guard !alarms.isEmpty || !groups.isEmpty else { return }
    try connection.begin(ImportAlarmsCall(alarms: alarms, groups: groups.isEmpty ? nil : groups))
    underWay.append(lines)
    (alarms, lines, groups, weight) = ([], [], [], CallWeight())
    if underWay.count >= Self.chunksAhead { try receive() }
  }

  private mutating func receive() throws {
    let lines = underWay.removeFirst()
    guard let reply = try connection.reply(to: ImportAlarmsCall.self, isReading: false) else { return }
    for refused in reply.refused where lines.indices.contains(Int(clamping: refused.index)) {
      let text = "eggd cannot use the value of '\(refused.field.visible)'"
      problems.append(ImportProblem(line: lines[Int(refused.index)], text: text))
    }
    staged += reply.staged
    try output.progress("\(staged) alarms read")
  }
}
