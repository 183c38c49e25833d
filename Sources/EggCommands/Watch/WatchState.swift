import EggProtocol
import Gettext

/// The screen's state: the list, the cursor, the input. Pure: only messages from eggd and keys change it.
struct WatchState {
  /// Decides what keys mean.
  enum Mode: Equatable {
    case list
    case typing(Prompt, TypedLine)
    /// `top` is the first visible line.
    case details(ShowReply, top: Int)
    /// `before` is the filter that Escape restores.
    case filter(TypedLine, before: String)
    case confirmDelete(WatchedID)
    /// Moving the alarm with that number to an index.
    case move(WatchedID, to: Int)
    case confirmUndo(UndoReply)
    case help
  }

  /// What a typed line is for.
  enum Prompt: Equatable {
    case add
    case edit(WatchedID)
    case extend(WatchedID)
    /// With the lengths that up and down put into the line.
    case snooze(WatchedID, [String])
    case group(WatchedID)

    /// The alarm that it changes.
    var id: WatchedID? {
      switch self {
      case .add: nil
      case .edit(let id), .extend(let id), .snooze(let id, _), .group(let id): id
      }
    }
  }

  enum Link: Equatable {
    case reading
    case live
    /// Disconnected, for this reason; it is tried again.
    case lost(String)
  }

  var list = WatchedList()
  /// The machines' names, if there are several.
  let hosts: [String]
  /// The alarms of lists that arrive again, by machine; they will replace the shown ones.
  private var incoming: [UInt8: [WatchedID: WatchedAlarm]] = [:]
  /// By machine.
  private(set) var links: [Link]
  /// The machine that requests without an alarm go to: that of the alarm under the cursor when they began.
  var target: UInt8 = 0
  /// How long the last snoozes were, the latest first.
  var snoozed: [String] = []
  /// The machine that the user changed last; nil before a change.
  var changed: UInt8?
  /// Whether a list has ever been complete.
  private(set) var isComplete = false
  /// As each eggd sends them, sorted by name.
  private var toldGroups: [UInt8: [WireGroup]] = [:]
  /// Those and the other groups of alarms, sorted by name.
  private(set) var groups: [WireGroup] = []
  /// Totals of the shown alarms, as of the last ``prepare(rows:)``.
  private(set) var totals = Totals(alarms: 0, eggs: 0, next: nil)
  /// The one of the shown alarms that rings next, as of then.
  private(set) var next: WatchedAlarm?
  var mode = Mode.list
  /// The line that was sent last, with its request.
  var sent: (request: WatchRequest, line: Mode)?
  var filter = ""
  /// The index of the cursor's row; 0 if there is none.
  private(set) var cursor = 0
  private(set) var selected: WatchedID?
  /// An alarm that the cursor goes to when it arrives.
  private var awaited: WatchedID?
  /// The index of the first visible row.
  private(set) var top = 0
  /// How many rows are visible; at least 1.
  private(set) var pageLength = 1
  /// A message shown until the next key.
  var notice: String?
  var isOver = false

  /// `hosts` are the names of several machines; empty for one.
  init(hosts: [String] = []) {
    self.hosts = hosts
    links = Array(repeating: .reading, count: max(1, hosts.count))
  }

  /// What the machines have in common: all live, or one that is not.
  var link: Link {
    links.first { if case .lost = $0 { true } else { false } } ?? links.first { $0 == .reading } ?? .live
  }

  /// `kitchen`; nil if there is only one machine.
  func name(ofHost host: UInt8) -> String? { hosts.indices.contains(Int(host)) ? hosts[Int(host)] : nil }

  /// `#12 two soft ones`, after the machine if there are several.
  func name(of alarm: WatchedAlarm) -> String {
    name(ofHost: alarm.host).map { "\($0) \(alarm.name)" } ?? alarm.name
  }

  var footerLines: Int {
    switch mode {
    case .typing(.extend, _), .typing(.group, _): notice == nil ? 1 : 2
    case .typing: 2
    default: 1
    }
  }

  var current: WatchedAlarm? { list[cursor] }

  /// Applies a message of a machine's subscription.
  mutating func apply(_ reply: SubscribeReply, from host: UInt8 = 0) {
    let hostName = name(ofHost: host)
    switch reply.part {
    case .page:
      for alarm in reply.alarms ?? [] { put(WatchedAlarm(alarm, host: host, hostName: hostName ?? "")) }
    case .change:
      if let new = reply.new {
        let alarm = WatchedAlarm(new, host: host, hostName: hostName ?? "")
        put(alarm)
        if new.state == .ringing, reply.old?.state != .ringing { notice = tr("\(name(of: alarm)) rings") }
      } else if let old = reply.old {
        let id = WatchedID(old.number, host: host)
        if incoming[host] == nil { list.remove(id) } else { incoming[host]?[id] = nil }
      }
    case .groups: toldGroups[host] = reply.groups ?? []
    case .startOver: startOver(host)
    case .ready:
      if let arrived = incoming.removeValue(forKey: host) { list.replace(alarmsOf: host, with: arrived) }
      if case .lost = links[Int(host)] {
        notice = hostName.map { tr("\($0) is back") } ?? tr("eggd is back")
      }
      links[Int(host)] = .live
      isComplete = isComplete || !links.contains(.reading)
    case .other: break
    }
    settle()
  }

  /// The connection ended; a new one sends the list again.
  mutating func lose(_ reason: String, from host: UInt8 = 0) {
    startOver(host)
    links[Int(host)] = .lost(reason)
  }

  /// A machine's list arrives again; the old one stays on the screen until the new one is complete.
  mutating func startOver(_ host: UInt8 = 0) {
    if links[Int(host)] == .live { links[Int(host)] = .reading }
    toldGroups[host] = nil
    if list.total > 0 { incoming[host] = [:] }
  }

  mutating func apply(_ outcome: WatchOutcome, from host: UInt8 = 0) {
    if let notice = outcome.notice { self.notice = notice }
    if let number = outcome.number { awaited = WatchedID(number, host: host) }
    if let change = outcome.undo, mode == .list {
      mode = .confirmUndo(change)
      target = host
    }
    if let details = outcome.details, mode == .list { mode = .details(details, top: 0) }
    if let offer = outcome.snooze, mode == .list { ask(offer) }
    settle()
  }

  /// A line that was refused comes back, unless another has been begun.
  mutating func fail(_ request: WatchRequest, _ reason: String) {
    notice = reason
    if mode == .list, let sent, sent.request == request { mode = sent.line }
    settle()
  }

  /// Called before drawing, with the number of rows for the list.
  mutating func prepare(rows: Int) {
    pageLength = max(1, rows)
    list.rows = pageLength
    next = list.next
    totals = list.totals()
    scroll()
  }

  /// Called when details are drawn, with the first line of their last page.
  mutating func keepDetails(within last: Int) {
    if case .details(let reply, let top) = mode { mode = .details(reply, top: min(top, last)) }
  }

  mutating func show(_ text: String) {
    filter = text
    list.show(WatchFilter(text))
    settle()
  }

  /// Switches to the next order; the cursor stays on its alarm.
  mutating func sort() {
    list.sort(by: list.order.next)
    settle()
    notice =
      switch list.order {
      case .list: tr("in list order")
      case .due: tr("sorted by due")
      case .label: tr("sorted by label")
      }
  }

  /// Moves the cursor to an index, or as near as possible.
  mutating func select(_ index: Int) {
    cursor = min(max(index, 0), max(list.count - 1, 0))
    selected = list[cursor]?.id
    scroll()
  }

  /// The alarm at an index, with the alarm being moved in its new place.
  func alarm(at index: Int) -> WatchedAlarm? {
    guard case .move(let id, let target) = mode, let origin = list.index(of: id) else {
      return list[index]
    }
    if index == target { return list[origin] }
    let rest = index < target ? index : index - 1
    return list[rest < origin ? rest : rest + 1]
  }

  private mutating func put(_ alarm: WatchedAlarm) {
    if incoming[alarm.host] == nil { list.put(alarm) } else { incoming[alarm.host]?[alarm.id] = alarm }
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
    case .confirmDelete(let id) where list.alarm(id) == nil: leave(id)
    case .typing(let prompt, _): if let id = prompt.id, list.alarm(id) == nil { leave(id) }
    case .move(let id, _) where list.index(of: id) == nil: leave(id)
    case .move(let id, let target): mode = .move(id, to: min(target, list.count - 1))
    default: break
    }
    scroll()
  }

  private mutating func gatherGroups() {
    // A group that several machines have is shown once.
    var told: [String: WireGroup] = [:]
    for host in toldGroups.keys.sorted() {
      for group in toldGroups[host] ?? [] where told[group.name] == nil { told[group.name] = group }
    }
    let named = list.progress.keys.filter { told[$0] == nil }.map { WireGroup(name: $0) }
    groups = (told.values + named).sorted { $0.name < $1.name }
  }

  private mutating func leave(_ gone: WatchedID) {
    mode = .list
    notice = tr("#\(gone.number) is gone")
  }

  /// Keeps the cursor, or the new place of a moved alarm, visible, and the screen full.
  mutating func scroll() {
    var focus = cursor
    if case .move(_, let target) = mode { focus = target }
    let end = list.count + (list.leftOut > 0 ? 1 : 0)
    top = min(top, max(0, end - pageLength))
    top = min(max(top, (focus == list.count - 1 ? end : focus + 1) - pageLength), focus)
  }
}
