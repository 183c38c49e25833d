import Alarms
import ArgumentParser
import EggProtocol
import EggTime
import Gettext
import Varlink

struct List: DatedAnswerVerb {
  static let configuration = CommandConfiguration(
    "list", tr("List alarms with their totals, ringing ones first."),
    discussion: """
      eggctl
      eggctl list --sort due
      eggctl list --all
      eggctl list --today
      eggctl list --category soft --group Sunday --due-before friday
      eggctl list --rung --group Sunday

      A terminal shows what rings, then what waits, then as many of the newest alarms
      that are over as fit. ↻ marks a recurring alarm; eggctl show tells its rule. An
      alarm without a label is listed with its title. On a narrow terminal the year
      goes first, then the seconds; COLUMNS sets another width. Alarms that have rung
      stay until they are deleted. An alarm must pass all filters; totals count
      listed alarms only.
      """)

  @Option(
    help: """
      The order: position (eggctl move), due (the next to ring first), created or label. By default what rings, then \
      by position.
      """)
  var sort: ListOrder?
  @Flag(help: "On a terminal, all that is over, too.") var all = false
  @Option(help: "Only this category; can be repeated.") var category: [Category] = []
  @Option(
    help: ArgumentHelp("Only this group; \"\" for alarms without a group.", valueName: "name"),
    completion: .values(.groups))
  var group: [String] = []
  @Option(help: "Only this state; can be repeated.") var state: [Alarm.Phase] = []
  @Option(help: ArgumentHelp("Only alarms with this text in label or note, in any case.", valueName: "text"))
  var label: String?
  @Option(help: ArgumentHelp("Only alarms due before that time.", valueName: "time")) var dueBefore: String?
  @Option(help: ArgumentHelp("Only alarms due at that time or later.", valueName: "time")) var dueFrom:
    String?
  @Flag(help: "Only alarms that are or were due today.") var today = false
  @Flag(help: "Only alarms that have rung.") var rung = false
  @Flag(help: "Only alarms marked done.") var done = false
  @Flag(help: "Only alarms not marked done.") var undone = false
  @OptionGroup var answer: DatedAnswerOptions

  func run(in surroundings: Surroundings) throws {
    let form = try answer.form()
    let output = surroundings.output
    let fields: [WireAlarm.Field]? =
      switch form {
      case .text: WireAlarm.listed
      case .json: nil
      case .numbers: []
      }
    var call = ListCall(order: sort ?? .position, fields: fields)
    try filter(&call, in: surroundings)
    let connection = try Connection(surroundings)
    let occasions = today && form != .numbers ? try occasions(of: call, connection, surroundings) : []
    if form == .text {
      for text in occasions { try output.data(tr("today: \(text)") + "\n") }
      if !occasions.isEmpty { try output.data("\n") }
    }
    switch form {
    case .text:
      var table = ListTable(
        text: AlarmText(moments: try Moments(surroundings)), width: surroundings.lineWidth,
        colours: output.colours.data)
      if output.colours.data { table.groups = try connection.groupStyles() }
      if call.states == nil, let height = surroundings.terminalHeight() {
        return try showSections(of: call, height, table, connection, surroundings)
      }
      let (rows, totals) = try connection.list(call, ringingFirst: sort == nil) {
        ListRow($0, table.text.moments)
      }
      try rows.isEmpty ? tellEmpty(output) : output.data(table.text(rows, totals))
    case .json:
      let (alarms, totals) = try connection.list(call, ringingFirst: sort == nil) { try JSON.text(copy $0) }
      let more = today ? ",\"occasions\":\(try JSON.text(occasions))" : ""
      let list = alarms.joined(separator: ",")
      try output.data("{\"alarms\":[\(list)],\"totals\":\(JSON.text(totals))\(more)}\n")
    case .numbers:
      try output.data(connection.list(call, ringingFirst: sort == nil) { "\($0.number)\n" }.lines.joined())
    }
  }

  private func tellEmpty(_ output: Output) throws {
    try output.data((isFiltered ? tr("no alarm passes the filters") : tr("no alarms yet")) + "\n")
    try output.hint(isFiltered ? "eggctl list" : "eggctl schedule 6m30s \"two soft ones\"")
  }

  /// On a terminal what is over does not hide what is to come.
  private func showSections(
    of call: ListCall, _ height: Int, _ table: ListTable, _ connection: Connection,
    _ surroundings: Surroundings
  ) throws {
    let output = surroundings.output
    let (listed, totals) = try connection.list(call) { copy $0 }
    let sections = ListSections(listed)
    // Totals and heading come before, the prompt behind.
    let (alarms, leftOut) = sections.shown(in: all ? nil : height - 3)
    guard !alarms.isEmpty else { return try tellEmpty(output) }
    try output.data(table.text(alarms.map { ListRow($0, table.text.moments) }, totals))
    if leftOut > 0 {
      let command = isFiltered || sort != nil ? "--all" : "eggctl list --all"
      try output.data(ListSections.leftOutText(leftOut, command: command) + "\n")
    }
    if alarms.count > height - 3 { try output.data(sections.reminder(table.text)) }
  }

  /// Who has a birthday or a 100th day today.
  private func occasions(
    of call: ListCall, _ connection: Connection, _ surroundings: Surroundings
  ) throws -> [String] {
    var call = call
    call.fields = [.label, .kind, .anniversary, .civil, .calendarEvent, .rule]
    // One whose alarm has rung, or was made later that day, is today all the same.
    (call.dueFrom, call.dueBefore) = (nil, nil)
    let moments = try Moments(surroundings)
    var found: [(birth: CivilDate?, isOwn: Bool, text: String)] = []
    try connection.pages(call) { page in
      for alarm in page.alarms where alarm.anniversary != nil {
        guard let today = AnniversaryText(alarm, moments: moments)?.today(of: alarm) else { continue }
        found.append((alarm.anniversary, today.isOwn, today.text))
      }
    }
    let told = found.filter(\.isOwn)
    let others = found.filter { other in !other.isOwn && !told.contains { $0.birth == other.birth } }
    var texts: Set<String> = []
    return (told + others).map(\.text).filter { texts.insert($0).inserted }
  }
}

extension Connection {
  /// What becomes of each alarm of a list, and the totals.
  func list<Line>(
    _ call: ListCall, ringingFirst: Bool = false, _ line: (borrowing WireAlarm) throws -> Line
  ) throws -> (lines: [Line], totals: Totals) {
    var ringing: [Line] = []
    var others: [Line] = []
    var totals = Totals(alarms: 0, eggs: 0, next: nil)
    try pages(call) { page in
      for index in page.alarms.indices {
        if ringingFirst, page.alarms[index].state == .ringing {
          ringing.append(try line(page.alarms[index]))
        } else {
          others.append(try line(page.alarms[index]))
        }
      }
      totals = page.totals
    }
    return (ringing + others, totals)
  }

  fileprivate func groupStyles() throws -> [String: Style] {
    let groups = try read(ListGroupsCall()).groups
    return Dictionary(
      groups.map { ($0.name.visible, $0.style) }, uniquingKeysWith: { first, _ in first })
  }
}

extension ListOrder: ExpressibleByArgument {}

extension List {
  var isFiltered: Bool {
    !category.isEmpty || !group.isEmpty || !state.isEmpty || label != nil || dueBefore != nil
      || dueFrom != nil
      || today || rung || done || undone
  }

  func filter(_ call: inout ListCall, in surroundings: Surroundings) throws {
    if !category.isEmpty { call.categories = category }
    if group.count > 1 {
      throw Failure(.usage, tr("an alarm has one group: give --group once"))
    }
    call.group = group.first
    call.label = label
    if done, undone { throw Failure(.usage, tr("--done and --undone exclude each other")) }
    if done || undone { call.done = done }
    if rung, !state.isEmpty { throw Failure(.usage, tr("--rung and --state exclude each other")) }
    if rung { call.states = [.ringing, .snoozed, .rung] } else if !state.isEmpty { call.states = state }
    if today {
      guard dueFrom == nil, dueBefore == nil else {
        throw Failure(.usage, tr("--today excludes --due-from and --due-before"))
      }
      let zone = try surroundings.zone()
      let day = zone.civil(at: surroundings.now())
      let midnight = CivilDateTime(year: day.year, month: day.month, day: day.day)
      call.dueFrom = zone.resolve(midnight).instant
      call.dueBefore = zone.resolve(midnight.adding(days: 1)).instant
    } else {
      call.dueFrom = try dueFrom.map { try surroundings.moment(reading: $0) }
      call.dueBefore = try dueBefore.map { try surroundings.moment(reading: $0) }
    }
  }
}

extension Alarm.Phase: ExpressibleByArgument {
  /// Refuses `other`, which stands for states of a later version.
  public init?(argument: String) {
    guard let phase = Alarm.Phase(rawValue: argument), phase != .other else { return nil }
    self = phase
  }

  /// The values that help and completion list.
  public static var allValueStrings: [String] { allCases.filter { $0 != .other }.map(\.rawValue) }
}
