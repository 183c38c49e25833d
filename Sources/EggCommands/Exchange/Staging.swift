import EggProtocol

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
      text: problem.summary.map { "'\($0)': " }.map { $0 + problem.message } ?? problem.message)
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
  /// The lines of chunks that were sent and not answered yet.
  private var underWay: [[Int]] = []

  /// So many make a message that costs others no noticeable wait.
  private static let chunk = 100
  /// So many are sent ahead: while eggd stores them, the next ones are read.
  private static let chunksAhead = 4

  init(_ connection: Connection, _ output: Output, group: String?) {
    self.connection = connection
    self.output = output
    self.group = group
  }

  mutating func add(_ alarm: ImportedAlarm, line: Int) throws {
    alarms.append(alarm)
    if let group { alarms[alarms.count - 1].alarm.group = group }
    lines.append(line)
    if alarms.count >= Self.chunk { try send() }
  }

  mutating func add(_ group: WireGroup) { groups.append(group) }

  mutating func refuse(_ problem: ImportProblem) { problems.append(problem) }

  /// Sends what is left, and waits until all of it is staged.
  mutating func finish() throws {
    if !alarms.isEmpty || !groups.isEmpty { try send() }
    while !underWay.isEmpty { try receive() }
    problems.sort { $0.line < $1.line }
  }

  private mutating func send() throws {
    try connection.begin(
      ImportAlarmsCall(alarms: alarms, groups: groups.isEmpty || group != nil ? nil : groups))
    underWay.append(lines)
    (alarms, lines, groups) = ([], [], [])
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
