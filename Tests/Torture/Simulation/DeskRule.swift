import EggTime
import Ringing

/// What was seen of the desk, and what of it is no fault.
struct SeenDesk {
  /// Bubbles of which no row told when eggd started: it was killed before their marks were stored, or before it closed
  /// them.
  private(set) var strays: Set<UInt32> = []
  /// Occurrences that an undo let ring again: it lets no bubble appear.
  private(set) var unshown: Set<Int64> = []
  private var owner: String?

  /// eggd knows of bubbles what the rows say.
  mutating func restart(_ ringing: [DatabaseView.Ringing], _ desk: SimulatedDesk) {
    follow(desk)
    unshown = []
    strays = desk.open.subtracting(ringing.compactMap { $0.server == desk.owner ? $0.bubble : nil })
  }

  mutating func undid(_ numbers: Set<Int64>, _ ringing: [DatabaseView.Ringing]) {
    unshown.formUnion(ringing.filter { numbers.contains($0.number) }.map(\.occurrence))
  }

  mutating func follow(_ desk: SimulatedDesk) {
    if owner != desk.owner { strays = [] }
    owner = desk.owner
    strays.formIntersection(desk.open)
  }
}

extension Simulation {
  /// When all is quiet, the desk shows what rings by the rows, each alarm once, and nothing else.
  func checkDesk(_ life: Life) throws {
    seen.follow(desk)
    guard open.isEmpty, laziness == 0, !life.isStopping, disk.health == .sound, isSettled,
      life.store.condition == .writable, let view
    else { return }
    func fault(_ text: String) -> Ledger.Violation { Ledger.Violation(text: "the desk: \(text)") }
    let ringing = view.ringing()
    let present = Set(ringing.map(\.occurrence))
    if let other = life.shownOccurrences.subtracting(present).min() {
      throw fault("occurrence \(other) has a bubble and does not ring")
    }
    let must = ringing.filter { !seen.unshown.contains($0.occurrence) }
    if let missing = must.first(where: { !life.shownOccurrences.contains($0.occurrence) }) {
      throw fault("#\(missing.number) rings at \(missing.occurrence) and has no bubble")
    }
    guard desk.isPrompt else { return }
    note("desk compared")
    let labels = Set(ringing.map(\.label))
    var named: Set<String> = []
    var more = 0
    for (id, text) in desk.texts.sorted(by: { $0.key < $1.key })
    where !seen.strays.contains(id) && !desk.unclosed.contains(id) {
      let shown = text.alarms
      if let other = shown.labels.first(where: { !labels.contains($0) }) {
        throw fault("bubble \(id) is that of '\(other)', which does not ring")
      }
      if let twice = shown.labels.first(where: { !named.insert($0).inserted }) {
        let bubbles = desk.texts.filter { $0.value.alarms.labels.contains(twice) }.keys.sorted()
        throw fault("'\(twice)' has the bubbles \(bubbles)")
      }
      more += shown.more
    }
    let least = Set(must.map(\.label))
    if more == 0, let missing = least.subtracting(named).min() {
      throw fault("'\(missing)' rings and is not shown")
    }
    guard (least.count...labels.count).contains(named.count + more) else {
      throw fault("\(named.count + more) alarms are shown, \(least.count) to \(labels.count) ring")
    }
  }
}

extension BubbleContent {
  /// The labels of its alarms, and how many more it counts.
  fileprivate var alarms: (labels: [String], more: Int) {
    let lines = body.split(separator: "\n").map(String.init)
    guard let line = lines.first(where: { $0.contains(" alarms: ") }) else {
      return (lines.count > 1 ? [lines[1]] : [], 0)
    }
    var list = line.split(separator: ": ", maxSplits: 1).last.map(String.init) ?? ""
    var more = 0
    let words = list.split(separator: " ")
    if words.count > 3, words.last == "more", words[words.count - 3] == "and" {
      more = Int(words[words.count - 2]) ?? 0
      list = words.dropLast(3).joined(separator: " ")
    }
    return (list.split(separator: ", ").map(String.init), more)
  }
}
