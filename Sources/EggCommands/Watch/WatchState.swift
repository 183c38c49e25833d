import EggProtocol
import Gettext

/// The screen's state: the list, the cursor, the input. Pure: only messages from eggd and keys change it.
struct WatchState {
  /// Decides what keys mean.
  enum Mode: Equatable {
    case list
    case add(TypedLine)
    /// Editing the alarm with that number.
    case edit(Int64, TypedLine)
    /// Entering the span to extend by.
    case extend(Int64, TypedLine)
    /// Entering the group's name.
    case group(Int64, TypedLine)
    /// Showing an alarm in full.
    case details(ShowReply)
    /// `before` is the filter that Escape restores.
    case filter(TypedLine, before: String)
    case confirmDelete(Int64)
    /// Moving the alarm with that number to an index.
    case move(Int64, to: Int)
    case confirmUndo(UndoReply)
    case help
  }

  enum Link: Equatable {
    /// The list is arriving.
    case reading
    case live
    /// Disconnected, for this reason; it is tried again.
    case lost(String)
  }

  /// The shown list.
  var list = WatchedList()
  /// The arriving list, which will replace the shown one.
  private var incoming: WatchedList?
  private(set) var link = Link.reading
  /// Whether a list has ever been complete.
  private(set) var isComplete = false
  /// As eggd sends them, sorted by name.
  private var toldGroups: [WatchedGroup] = []
  /// Those and the other groups of alarms, sorted by name.
  private(set) var groups: [WatchedGroup] = []
  /// Totals of the shown alarms, as of the last ``prepare(rows:)``.
  private(set) var totals = Totals(alarms: 0, eggs: 0, next: nil)
  var mode = Mode.list
  var filter = ""
  /// The index of the cursor's row; 0 if there is none.
  private(set) var cursor = 0
  /// The number of the alarm under the cursor.
  private(set) var selected: Int64?
  /// An alarm that the cursor goes to when it arrives.
  private var awaited: Int64?
  /// The index of the first visible row.
  private(set) var top = 0
  /// How many rows are visible; at least 1.
  private(set) var pageLength = 1
  /// A message shown until the next key.
  var notice: String?
  /// Whether the user quits.
  var isOver = false

  /// Lines of the footer.
  var footerLines: Int {
    switch mode {
    case .add, .edit: 2
    default: 1
    }
  }

  /// The alarm under the cursor.
  var current: WatchedAlarm? { list[cursor] }

  /// Applies a message of the subscription.
  mutating func apply(_ reply: SubscribeReply) {
    switch reply.part {
    case .page:
      for alarm in reply.alarms ?? [] { put(WatchedAlarm(alarm)) }
    case .change:
      if let new = reply.new {
        let alarm = WatchedAlarm(new)
        put(alarm)
        if alarm.state == .ringing, reply.old?.state != .ringing { notice = tr("\(alarm.name) rings") }
      } else if let old = reply.old {
        remove(old.number)
      }
    case .groups: toldGroups = (reply.groups ?? []).map { WatchedGroup($0) }
    case .startOver: startOver()
    case .ready:
      if let incoming { list = incoming }
      incoming = nil
      isComplete = true
      if case .lost = link { notice = tr("eggd is back") }
      link = .live
    case .other: break
    }
    settle()
  }

  /// The connection ended; a new one sends the list again.
  mutating func lose(_ reason: String) {
    startOver()
    link = .lost(reason)
  }

  /// The list arrives again; the old one stays on the screen until the new one is complete.
  mutating func startOver() {
    if link == .live { link = .reading }
    toldGroups = []
    guard list.total > 0 else { return }
    var empty = WatchedList()
    empty.show(WatchFilter(filter))
    empty.sort(by: list.order)
    incoming = empty
  }

  /// Applies the outcome of a request.
  mutating func apply(_ outcome: WatchOutcome) {
    if let notice = outcome.notice { self.notice = notice }
    if let number = outcome.number { awaited = number }
    if let change = outcome.undo, mode == .list { mode = .confirmUndo(change) }
    if let details = outcome.details, mode == .list { mode = .details(details) }
    settle()
  }

  /// Called before drawing, with the number of rows for the list.
  mutating func prepare(rows: Int) {
    pageLength = max(1, rows)
    totals = list.totals()
    scroll()
  }

  /// Applies the filter.
  mutating func show(_ text: String) {
    filter = text
    list.show(WatchFilter(text))
    incoming?.show(WatchFilter(text))
    settle()
  }

  mutating func sort(by order: WatchedList.Order) {
    list.sort(by: order)
    incoming?.sort(by: order)
    settle()
  }

  /// Moves the cursor to an index, or as near as possible.
  mutating func select(_ index: Int) {
    cursor = min(max(index, 0), max(list.count - 1, 0))
    selected = list[cursor]?.number
    scroll()
  }

  /// The alarm at an index, with the alarm being moved in its new place.
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

  /// Keeps the cursor, and a pending question, on its alarm; if that is gone, the cursor keeps its index.
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
      if list.alarm(number) == nil { leave(tr("#\(number) is gone")) }
    case .move(let number, _) where list.index(of: number) == nil: leave(tr("#\(number) is gone"))
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

  /// Keeps the cursor, or the new place of a moved alarm, visible, and the screen full.
  mutating func scroll() {
    var focus = cursor
    if case .move(_, let target) = mode { focus = target }
    top = min(top, max(0, list.count - pageLength))
    top = min(max(top, focus - pageLength + 1), focus)
  }
}
