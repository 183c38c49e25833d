import Alarms
import EggProtocol
import Gettext
import ICalendar
import Varlink

struct ImportProblem {
  /// Counted from 1.
  var line: Int
  var text: String
}

extension ImportProblem {
  init(_ problem: CalendarProblem) {
    self.init(
      line: problem.line,
      text: problem.summary.map { "'\($0)': \(problem.message)" } ?? problem.message)
  }
}

/// Sends alarms to eggd in chunks. eggd keeps them until they are committed together.
struct Staging {
  /// Sorted by line after ``finish()``.
  private(set) var problems: [ImportProblem] = []
  private(set) var staged: Int64 = 0
  private let connection: Connection
  private let output: Output
  private let group: String?
  /// The next chunk.
  private var alarms = EncodedElements()
  private var lines: [Int] = []
  private var deleted: [AlarmID] = []
  private var weight = CallWeight()
  /// Chunks that were sent but not answered: the line numbers of their alarms, and their bytes.
  private var underWay: [(lines: [Int], bytes: Int)] = []
  private var bytesUnderWay = 0

  /// Alarms in a chunk, fewer if they have long histories: a message that delays other clients unnoticeably.
  private static let chunk = 64
  /// Chunks sent ahead: the next ones are read while eggd stores these.
  private static let (chunksAhead, bytesAhead) = (32, 384 << 10)

  init(_ connection: Connection, _ output: Output, group: String? = nil) {
    self.connection = connection
    self.output = output
    self.group = group
  }

  mutating func add(_ alarm: ImportedAlarm, line: Int) throws {
    var alarm = alarm
    if let group { alarm.alarm.group = group }
    let json = try JSON.bytes(alarm)
    let weight = try CallWeight(of: json)
    guard weight.isWithin(.most) else {
      return try refuse(ImportProblem(line: line, text: tr("it is too large for eggd")))
    }
    if !(self.weight + weight).isWithin(.full) { try send() }
    self.weight = self.weight + weight
    alarms.append(json: json)
    lines.append(line)
    if lines.count >= Self.chunk { try send() }
  }

  mutating func add(_ group: WireGroup) throws {
    // With --group all alarms go into that group.
    if self.group == nil { try send(ImportAlarmsCall(alarms: [], groups: [group])) }
  }

  mutating func add(_ days: WireDaysOff) throws {
    guard try CallWeight(of: JSON.bytes(days)).isWithin(.most) else {
      throw Failure(.usage, tr("the days off '\(days.name.visible)' are too many for eggd"))
    }
    var call = ImportAlarmsCall(alarms: [])
    call.daysOff = [days]
    try send(call)
  }

  mutating func delete(_ id: AlarmID) throws {
    deleted.append(id)
    if deleted.count >= Self.chunk { try send() }
  }

  /// More are kept of no file: it has no end, or is none.
  private static let mostProblems = 1_000_000

  mutating func refuse(_ problem: ImportProblem) throws {
    guard problems.count < Self.mostProblems else {
      throw Failure(
        .usage, tr("nothing was imported: more than \(Self.mostProblems) entries cannot be imported"))
    }
    problems.append(problem)
  }

  /// Sends the rest and waits until all is staged.
  mutating func finish() throws {
    try send()
    while !underWay.isEmpty { try receive() }
    problems.sort { $0.line < $1.line }
  }

  /// What is no alarm has no line in the reply.
  private mutating func send(_ call: ImportAlarmsCall) throws {
    try connection.begin(call)
    try expectReply(for: [], bytes: 0)
  }

  private mutating func send() throws {
    if !deleted.isEmpty {
      var call = ImportAlarmsCall(alarms: [])
      call.delete = deleted
      try send(call)
      deleted = []
    }
    if !lines.isEmpty {
      let call = try JSON.bytes(["alarms": alarms])
      try connection.begin(ImportAlarmsCall.self, json: call)
      try expectReply(for: lines, bytes: call.count)
      alarms = EncodedElements()
      lines = []
    }
    weight = CallWeight()
  }

  private mutating func expectReply(for lines: [Int], bytes: Int) throws {
    underWay.append((lines, bytes))
    bytesUnderWay += bytes
    while underWay.count >= Self.chunksAhead || underWay.count > 1 && bytesUnderWay > Self.bytesAhead {
      try receive()
    }
  }

  private mutating func receive() throws {
    let (lines, bytes) = underWay.removeFirst()
    bytesUnderWay -= bytes
    guard let reply = try connection.reply(to: ImportAlarmsCall.self, isReading: false) else { return }
    for refused in reply.refused where lines.indices.contains(Int(clamping: refused.index)) {
      let text = tr("eggd does not accept the value of '\(refused.field.visible)'")
      problems.append(ImportProblem(line: lines[Int(refused.index)], text: text))
    }
    staged += reply.staged
    try output.progress(tr("\(staged) alarms read"))
  }
}

/// The size of alarms in a call, or of days off.
struct CallWeight {
  /// Fields and elements, as eggd counts them.
  var values = 0
  /// Of JSON.
  var bytes = 0

  /// What eggd accepts in one call, less the call's own fields.
  static let most = CallWeight(
    values: ServerLimits.standard.valuesPerCall - 64, bytes: ServerLimits.standard.messageBytes - 4_096)
  static let full = CallWeight(values: most.values / 2, bytes: most.bytes / 2)

  func isWithin(_ other: CallWeight) -> Bool { values <= other.values && bytes <= other.bytes }

  static func + (one: CallWeight, other: CallWeight) -> CallWeight {
    CallWeight(values: one.values + other.values, bytes: one.bytes + other.bytes)
  }
}

extension CallWeight {
  /// Of an element.
  init(of json: [UInt8]) throws {
    var scanner = try JSONScanner(json)
    try scanner.skipValue()
    self.init(values: scanner.values + 1, bytes: json.count + 1)
  }
}
