import EggProtocol
import EggTime
import Gettext

extension WatchState {
  /// Handles a key and returns the requests to send. `context` is for reading times.
  mutating func press(_ key: Key, in context: ReadingContext) -> [WatchRequest] {
    notice = nil
    switch mode {
    case .list: return pressInList(key)
    case .add(let line): return type(key, into: line, in: context)
    case .edit(let number, let line): return edit(number, key, line, in: context)
    case .extend(let number, let line): return extend(number, key, line, in: context)
    case .group(let number, let line): return group(number, key, line)
    case .filter(let line, let before): filter(key, line, before: before)
    case .confirmDelete(let number):
      mode = .list
      if key == .character("y") { return [.delete(number)] }
      notice = tr("#\(number) stays")
    case .confirmUndo(let change):
      mode = .list
      if key == .character("y") { return [.undo(change)] }
      notice = tr("nothing was changed")
    case .move(let number, let target): return move(key, number, to: target)
    case .help, .details: mode = .list
    }
    return []
  }

  private mutating func pressInList(_ key: Key) -> [WatchRequest] {
    switch key {
    case .character("q"): isOver = true
    case .character("?"): mode = .help
    case .character("a"): mode = .add(TypedLine())
    case .character("/"): mode = .filter(TypedLine(filter), before: filter)
    case .character("h"): return [.schedule(expression: "5s", label: nil)]
    case .character("u"): return [.previewUndo]
    case .character("U"): return [.redo]
    case .character("o"): sort()
    case .escape: if !filter.isEmpty { show("") }
    default:
      if let index = index(after: key, from: cursor) {
        select(index)
      } else if let alarm = current {
        return press(key, at: alarm)
      }
    }
    return []
  }

  private mutating func press(_ key: Key, at alarm: WatchedAlarm) -> [WatchRequest] {
    switch key {
    case .character("d"), .delete: mode = .confirmDelete(alarm.number)
    case .character("s"): return [.snooze(alarm.number)]
    case .character(" "): return [.dismiss(alarm.number)]
    case .character("p"): return [alarm.state == .paused ? .resume(alarm.number) : .pause(alarm.number)]
    case .character("x"): return [.markDone(alarm.number, !alarm.done)]
    case .character("m"):
      guard list.order == .list else {
        notice = tr("sorted by \(list.order.word): o goes back to the order that m changes")
        break
      }
      mode = .move(alarm.number, to: cursor)
    case .character("e"): mode = .edit(alarm.number, TypedLine())
    case .character("+"): mode = .extend(alarm.number, TypedLine("5m"))
    case .character("g"): mode = .group(alarm.number, TypedLine(alarm.group ?? ""))
    case .character("r"): return [.again(alarm.number)]
    case .enter: return [.show(alarm.number)]
    default: break
    }
    return []
  }

  /// The row that a key moves to; nil for other keys.
  private func index(after key: Key, from index: Int) -> Int? {
    switch key {
    case .up, .character("k"): index - 1
    case .down, .character("j"): index + 1
    case .pageUp, .control("b"): index - pageLength
    case .pageDown, .control("f"): index + pageLength
    case .home: 0
    case .end, .character("G"): list.count - 1
    default: nil
    }
  }

  private mutating func type(
    _ key: Key, into line: TypedLine, in context: ReadingContext
  ) -> [WatchRequest] {
    var line = line
    switch key {
    case .escape: mode = .list
    case .enter:
      switch AddLine.read(line.text, in: context) {
      case .empty: mode = .list
      case .wrong: break
      case .alarm(let time, _, let label):
        mode = .list
        return [.schedule(expression: time.text, label: label)]
      }
    default:
      if line.press(key) { mode = .add(line) }
    }
    return []
  }

  private mutating func filter(_ key: Key, _ line: TypedLine, before: String) {
    var line = line
    switch key {
    case .escape:
      mode = .list
      show(before)
    case .enter: mode = .list
    case .up, .down, .pageUp, .pageDown:
      if let index = index(after: key, from: cursor) { select(index) }
    default:
      guard line.press(key) else { return }
      mode = .filter(line, before: before)
      show(line.text)
    }
  }

  private mutating func move(_ key: Key, _ number: Int64, to target: Int) -> [WatchRequest] {
    switch key {
    case .escape, .character("q"): mode = .list
    case .enter, .character("m"):
      defer { mode = .list }
      guard target != list.index(of: number) else { return [] }
      // Ringing alarms come first wherever they are put. Only a neighbour that also rings, or also does not,
      // gives the place.
      let rings = list.alarm(number)?.state == .ringing
      if let next = alarm(at: target + 1), (next.state == .ringing) == rings {
        return [.move(number, .before, next.number)]
      }
      if let previous = alarm(at: target - 1), (previous.state == .ringing) == rings {
        return [.move(number, .after, previous.number)]
      }
      notice = tr("ringing alarms come first")
    default:
      guard let index = index(after: key, from: target) else { return [] }
      mode = .move(number, to: min(max(index, 0), max(list.count - 1, 0)))
      scroll()
    }
    return []
  }
}
