import EggProtocol

/// What the screen knows: the list, where the cursor is, what is being typed. Pure: it changes by messages of eggd and
/// by keys only.
struct WatchState {
  /// What the keys mean.
  enum Mode: Equatable {
    case list
    case add(TypedLine)
    /// What is changed of the alarm of that number.
    case edit(Int64, TypedLine)
    /// By how much it is to ring later.
    case extend(Int64, TypedLine)
    /// The name of the group that it goes to.
    case group(Int64, TypedLine)
    /// All that is known of an alarm.
    case details(ShowReply)
    /// `before` is the filter that Escape goes back to.
    case filter(TypedLine, before: String)
    case confirmDelete(Int64)
    /// The alarm of that number, and the index at which it is to stand.
    case move(Int64, to: Int)
    case confirmUndo(UndoReply)
    case help
  }

  /// How eggd's messages come.
  enum Link: Equatable {
    /// The list is being told.
    case reading
    case live
    /// Nothing is told, for this reason; it is tried again.
    case lost(String)
  }

  /// What the screen shows the rows of.
  var list = WatchedList()
  /// The list that is being told in the place of the one that is shown.
  private var incoming: WatchedList?
  private(set) var link = Link.reading
  /// Whether the list was told to its end at least once.
  private(set) var isComplete = false
  /// As eggd tells them, by name.
  private var toldGroups: [WatchedGroup] = []
  /// Those and what else alarms name, by name.
  private(set) var groups: [WatchedGroup] = []
  /// Of what is shown; as of the last ``prepare(rows:)``.
  private(set) var totals = Totals(alarms: 0, eggs: 0, next: nil)
  var mode = Mode.list
  var filter = ""
  /// The index of the row that keys are about; 0 where there is none.
  private(set) var cursor = 0
  /// The number of the alarm there.
  private(set) var selected: Int64?
  /// An alarm that the cursor goes to as soon as it is told.
  private var awaited: Int64?
  /// The index of the first row on the screen.
  private(set) var top = 0
  /// How many rows the screen has; at least 1.
  private(set) var pageLength = 1
  /// What is said until the next key.
  var notice: String?
  /// Whether the person has had enough.
  var isOver = false

  /// Lines that it takes at the bottom.
  var footerLines: Int {
    switch mode {
    case .add, .edit: 2
    default: 1
    }
  }

  /// The alarm that keys are about.
  var current: WatchedAlarm? { list[cursor] }

  /// Takes one message of the subscription.
  mutating func apply(_ reply: SubscribeReply) {
    switch reply.part {
    case .page:
      for alarm in reply.alarms ?? [] { put(WatchedAlarm(alarm)) }
    case .change:
      if let new = reply.new {
        let alarm = WatchedAlarm(new)
        put(alarm)
        if alarm.state == .ringing, reply.old?.state != .ringing { notice = "\(alarm.name) rings" }
      } else if let old = reply.old {
        remove(old.number)
      }
    case .groups: toldGroups = (reply.groups ?? []).map { WatchedGroup($0) }
    case .startOver: startOver()
    case .ready:
      if let incoming { list = incoming }
      incoming = nil
      isComplete = true
      if case .lost = link { notice = "eggd is back" }
      link = .live
    case .other: break
    }
    settle()
  }

  /// The connection ended: a new one tells the list anew.
  mutating func lose(_ reason: String) {
    startOver()
    link = .lost(reason)
  }

  /// The list is told anew; what was told of it stays on the screen until that is complete.
  mutating func startOver() {
    if link == .live { link = .reading }
    toldGroups = []
    guard list.total > 0 else { return }
    var empty = WatchedList()
    empty.show(WatchFilter(filter))
    empty.sort(by: list.order)
    incoming = empty
  }

  /// Takes what came of a request.
  mutating func apply(_ outcome: WatchOutcome) {
    if let notice = outcome.notice { self.notice = notice }
    if let number = outcome.number { awaited = number }
    if let change = outcome.undo, mode == .list { mode = .confirmUndo(change) }
    if let details = outcome.details, mode == .list { mode = .details(details) }
    settle()
  }

  /// Before the screen is drawn, which has this many rows for the list.
  mutating func prepare(rows: Int) {
    pageLength = max(1, rows)
    totals = list.totals()
    scroll()
  }

  /// Shows what passes the filter.
  mutating func show(_ text: String) {
    filter = text
    list.show(WatchFilter(text))
    incoming?.show(WatchFilter(text))
    settle()
  }

  /// Puts the list in another order.
  mutating func sort(by order: WatchedList.Order) {
    list.sort(by: order)
    incoming?.sort(by: order)
    settle()
  }

  /// Puts the cursor at an index, or as near as there is one.
  mutating func select(_ index: Int) {
    cursor = min(max(index, 0), max(list.count - 1, 0))
    selected = list[cursor]?.number
    scroll()
  }

  /// Where the list stands with the one that is being moved in its new place: the alarm at an index of that.
  func alarm(at index: Int) -> WatchedAlarm? {
    guard case .move(let number, let target) = mode, let origin = list.index(of: number) else {
      return list[index]
    }
    if index == target { return list[origin] }
    let rest = index < target ? index : index - 1
    return list[rest < origin ? rest : rest + 1]
  }

  private mutating func put(_ alarm: WatchedAlarm) {
    if incoming != nil { incoming?.put(alarm) } else { list.put(alarm) }
  }

  private mutating func remove(_ number: Int64) {
    if incoming != nil { incoming?.remove(number) } else { list.remove(number) }
  }

  /// The cursor stays at its alarm; where that is gone, at its index. So does what is asked about it.
  private mutating func settle() {
    gatherGroups()
    if let awaited, let index = list.index(of: awaited) {
      self.awaited = nil
      select(index)
    } else {
      select(selected.flatMap { list.index(of: $0) } ?? cursor)
    }
    switch mode {
    case .confirmDelete(let number), .edit(let number, _), .extend(let number, _), .group(let number, _):
      if list.alarm(number) == nil { leave("#\(number) is gone") }
    case .move(let number, _) where list.index(of: number) == nil: leave("#\(number) is gone")
    case .move(let number, let target): mode = .move(number, to: min(target, list.count - 1))
    default: break
    }
    scroll()
  }

  private mutating func gatherGroups() {
    let told = Set(toldGroups.map(\.name))
    let named = list.progress.keys.filter { !told.contains($0) }.map { WatchedGroup(name: $0) }
    groups = (toldGroups + named).sorted { $0.name < $1.name }
  }

  private mutating func leave(_ text: String) {
    mode = .list
    notice = text
  }

  /// Keeps the cursor, or the place that an alarm is moved to, on the screen, and the screen filled.
  mutating func scroll() {
    var focus = cursor
    if case .move(_, let target) = mode { focus = target }
    top = min(top, max(0, list.count - pageLength))
    top = min(max(top, focus - pageLength + 1), focus)
  }
}
