import EggTime
import Gettext

extension WatchState {
  /// Handles a key and returns the requests to send. `context` is for reading times.
  mutating func press(_ key: Key, in context: ReadingContext) -> [WatchRequest] {
    let line = mode
    let requests = requests(after: key, in: context)
    if case .typing = line, let request = requests.last { sent = (request, line) }
    if let request = requests.last(where: \.isChange) { changed = request.host ?? target }
    return requests
  }

  private mutating func requests(after key: Key, in context: ReadingContext) -> [WatchRequest] {
    notice = nil
    switch mode {
    case .list: return pressInList(key)
    case .typing(let prompt, let line): return type(key, prompt, line, in: context)
    case .filter(let line, let before): filter(key, line, before: before)
    case .confirmDelete(let id):
      mode = .list
      if key == .character("y") { return [.delete(id)] }
      notice = tr("#\(id.number) stays")
    case .confirmUndo(let change):
      mode = .list
      if key == .character("y") { return [.undo(change)] }
      notice = tr("nothing was changed")
    case .move(let id, let target): return move(key, id, to: target)
    case .help: mode = .list
    case .details(let reply, let top):
      // How far they go is known when they are drawn.
      mode = index(after: key, from: top, last: .max / 2).map { .details(reply, top: max(0, $0)) } ?? .list
    }
    return []
  }

  private mutating func pressInList(_ key: Key) -> [WatchRequest] {
    if let current { target = current.host }
    switch key {
    case .character("q"): isOver = true
    case .character("?"): mode = .help
    case .character("a"): mode = .typing(.add, TypedLine())
    case .character("/"): mode = .filter(TypedLine(filter), before: filter)
    case .character("h"): return [.schedule(expression: "5s", label: nil)]
    case .character("u"), .character("U"):
      // The row of the last change may be gone, and the cursor on another machine.
      target = changed ?? target
      return [key == .character("u") ? .previewUndo : .redo]
    case .character("o"): sort()
    case .escape: if !filter.isEmpty { show("") }
    default:
      if let index = index(after: key, from: cursor, last: list.count - 1) {
        select(index)
      } else if let alarm = current {
        return press(key, at: alarm)
      }
    }
    return []
  }

  private mutating func press(_ key: Key, at alarm: WatchedAlarm) -> [WatchRequest] {
    switch key {
    case .character("d"), .delete: mode = .confirmDelete(alarm.id)
    case .character("s"):
      return [alarm.wire.state == .ringing ? .snoozeLengths(alarm.id) : .snooze(alarm.id, nil)]
    case .character(" "): return [.dismiss(alarm.id)]
    case .character("p"): return [alarm.wire.state == .paused ? .resume(alarm.id) : .pause(alarm.id)]
    case .character("x"): return [.markDone(alarm.id, !alarm.wire.done)]
    case .character("m"):
      guard list.order == .list else {
        notice = tr("sorted by \(list.order.word): o goes back to the order that m changes")
        break
      }
      mode = .move(alarm.id, to: cursor)
    case .character("e"): mode = .typing(.edit(alarm.id), TypedLine())
    case .character("+"): mode = .typing(.extend(alarm.id), TypedLine("5m", isOffer: true))
    case .character("g"):
      mode = .typing(.group(alarm.id), TypedLine(alarm.wire.group ?? "", isOffer: true))
    case .character("r"): return [.again(alarm.id)]
    case .enter: return [.show(alarm.id)]
    default: break
    }
    return []
  }

  /// The row that a key moves to; nil for other keys.
  private func index(after key: Key, from index: Int, last: Int) -> Int? {
    switch key {
    case .up, .character("k"): index - 1
    case .down, .character("j"): index + 1
    case .pageUp, .control("b"): index - pageLength
    case .pageDown, .control("f"): index + pageLength
    case .home: 0
    case .end, .character("G"): last
    default: nil
    }
  }

  private mutating func filter(_ key: Key, _ line: TypedLine, before: String) {
    var line = line
    switch key {
    case .escape:
      mode = .list
      show(before)
    case .enter: mode = .list
    case .up, .down, .pageUp, .pageDown:
      if let index = index(after: key, from: cursor, last: list.count - 1) { select(index) }
    default:
      guard line.press(key) else { return }
      mode = .filter(line, before: before)
      show(line.text)
    }
  }

  private mutating func move(_ key: Key, _ id: WatchedID, to target: Int) -> [WatchRequest] {
    switch key {
    case .escape, .character("q"): mode = .list
    case .enter, .character("m"):
      defer { mode = .list }
      guard target != list.index(of: id) else { return [] }
      // What rings comes first wherever it is put, what is over last, in the order of its moments. Only a neighbour that
      // also rings, or also waits, gives the place; each machine has an order of its own.
      let section = list.alarm(id)?.section
      func isPeer(_ other: WatchedAlarm) -> Bool {
        other.host == id.host && other.section == section && section != .isOver
      }
      if let next = alarm(at: target + 1), isPeer(next) { return [.move(id, .before, next.wire.number)] }
      if let previous = alarm(at: target - 1), isPeer(previous) {
        return [.move(id, .after, previous.wire.number)]
      }
      notice =
        hosts.isEmpty
        ? tr("what rings comes first, what is over last")
        : tr("alarms stay with those of their machine and state")
    default:
      guard let index = index(after: key, from: target, last: list.count - 1) else { return [] }
      mode = .move(id, to: min(max(index, 0), max(list.count - 1, 0)))
      scroll()
    }
    return []
  }
}
