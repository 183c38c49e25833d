import Alarms
import EggTestSupport
import EggTime
import Testing

@testable import Ringing

/// Random events at a server that, like a bus, keeps the order of calls and signals.
@Suite struct BubblesWalkTests {
  @Test(
    "In any order of events each alarm has one bubble, few are shown, and only seen rings are dismissed",
    arguments: [UInt64(1), 2, 3, 4], ["", "gnome-shell", "Plasma"])
  func walk(seed: UInt64, server: String) {
    for run in 0..<(server.isEmpty ? 6 : 1) {
      var walk = Walk(seed: seed << 32 | UInt64(run), habits: ServerHabits(of: server))
      for step in 0..<400 {
        walk.step()
        if let fault = walk.fault {
          Issue.record("seed \(seed), run \(run), step \(step): \(fault); \(walk.done.suffix(12))")
          return
        }
      }
      if let fault = walk.finish() {
        Issue.record("seed \(seed), run \(run), at the end: \(fault); \(walk.done.suffix(12))")
        return
      }
    }
  }
}

/// The bubbles on a screen, by id: the rings that each text names.
private typealias Screen = [UInt32: Set<RingID>]

private struct Walk {
  private enum Asked {
    case notify(call: UInt64, replaces: UInt32, named: Set<RingID>)
    case close(UInt32)
  }

  private var bubbles = Bubbles(
    wording: NoticeWording(moment: { _ in "" }, span: { _ in "" }, offersAgain: { _ in true }),
    ownDisplay: false)
  private var dice: SeededGenerator
  private var now = Instant(microseconds: 1_795_210_470_000_000)
  /// The ringing occurrences, as the store would report them: by alarm, the rings by occurrence.
  private var ringing: [Int64: [Int64: RingID]] = [:]
  private var asked: [Asked] = []
  private var told: [BubbleInput] = []
  private var screen: Screen = [:]
  /// For each signal in `told`, in order, the text that the person acted on.
  private var seen: [Set<RingID>] = []
  /// The most bubbles that the server shows: beyond that it removes the oldest. GNOME Shell shows three.
  private let room: Int
  private let habits: ServerHabits
  private var owner: String?
  private var owners = 0
  private var lastID: UInt32 = 0
  private var lastOccurrence: Int64 = 1_000
  /// An occurrence's key is its place times this, plus its alarm's number.
  private static let alarms: Int64 = 200
  private(set) var fault: String?
  private(set) var done: [String] = []

  init(seed: UInt64, habits: ServerHabits) {
    self.habits = habits
    dice = SeededGenerator(seed: seed)
    room = [1, 3, 1_000].randomElement(using: &dice) ?? 3
    if Bool.random(using: &dice) { changeOwner() }
  }

  mutating func step() {
    switch Int.random(in: 0..<100, using: &dice) {
    case ..<30: show(upTo: 3)
    case ..<36: show(upTo: 12)
    case ..<40: endSnooze()
    case ..<48: endSome()
    case ..<70: serve()
    case ..<85: hear()
    case ..<90: person()
    case ..<91: refuse()
    case ..<92: insist()
    case ..<94: restoreSome()
    case ..<95: changeOwner()
    case ..<96: take(.settled)
    default: for _ in 0..<10 { serve(); hear() }
    }
  }

  /// A new server that answers shows exactly what rings.
  mutating func finish() -> String? {
    changeOwner()
    if owner == nil { changeOwner() }
    for _ in 0..<10 { drain() }
    // A ring sends refused calls again.
    show(upTo: 1)
    drain()
    if let fault { return fault }
    let rings = Set(ringing.values.flatMap(\.values))
    let shown = screen.values.flatMap { named in Set(named.map { $0.occurrence % Self.alarms }) }
    if habits.sharesOne, screen.count > 1 { return "\(screen.count) bubbles, and one is on the screen" }
    if shown.count != Set(shown).count { return "an alarm is in two bubbles" }
    if Set(shown) != Set(ringing.keys) { return "not the alarms that ring are shown" }
    if !rings.isSubset(of: screen.values.joined()) { return "something that rings is in no text" }
    return nil
  }

  private mutating func drain() {
    while !asked.isEmpty || !told.isEmpty {
      serve()
      hear()
    }
  }

  private mutating func take(_ input: BubbleInput) {
    done.append("\(input)".prefix(60).description)
    let saw = input.isPersons ? seen.removeFirst() : nil
    for effect in bubbles.handle(input, now: now) {
      switch effect {
      case .notify(let call, let replaces, _, _):
        let bubble = bubbles.bubbles.values.first { $0.call == call }
        asked.append(
          .notify(call: call, replaces: replaces, named: Set(bubble?.rings ?? [])))
      case .close(let id): asked.append(.close(id))
      case .askCapabilities: told.append(.capabilities([], habits))
      case .askEnvironment, .sound: break
      case .report(.chosen(_, let notices)):
        let answered = Set(notices.map(\.occurrence))
        for number in Set(notices.map(\.number)) {
          guard let rings = ringing.removeValue(forKey: number), let saw, saw.isSuperset(of: rings.values)
          else {
            fault = "#\(number) was answered, and nobody has seen it"
            continue
          }
          if !answered.isSuperset(of: rings.keys) { fault = "#\(number) was answered, and rings on" }
        }
      case .report(.shown): break
      }
    }
    if fault == nil { fault = bubbles.disagreement }
    let rings = Set(ringing.values.flatMap(\.keys))
    if fault == nil, rings != Set(bubbles.shownOccurrences) { fault = "not what rings has a bubble" }
  }

  private mutating func show(upTo most: Int) {
    var numbers: Set<Int64> = []
    for _ in 0..<Int.random(in: 1...most, using: &dice) { numbers.insert(.random(in: 1...150, using: &dice)) }
    now = now + .seconds(1)
    var occurrences = numbers.sorted().map { number in
      lastOccurrence += 2
      return (number: number, key: lastOccurrence)
    }
    // One alarm twice at once.
    if let first = occurrences.first, Int.random(in: 0..<4, using: &dice) == 0 {
      lastOccurrence += 2
      occurrences.append((first.number, lastOccurrence))
    }
    ring(occurrences)
  }

  /// An older occurrence of an alarm, possibly still ringing, rings again.
  private mutating func endSnooze() {
    now = now + .seconds(1)
    ring([(.random(in: 1...150, using: &dice), .random(in: 1...500, using: &dice) * 2)], endsSnooze: true)
  }

  private mutating func ring(_ occurrences: [(number: Int64, key: Int64)], endsSnooze: Bool = false) {
    var notices: [Notice] = []
    for (number, key) in occurrences {
      let key = endsSnooze ? key * Self.alarms + number : (key + 5_000) * Self.alarms + number
      let notice = Notice(
        occurrence: key, number: number, card: card(number), dueAt: now, lateness: .zero, reason: nil,
        endsSnooze: endsSnooze)
      if !endsSnooze { ringing[number] = ringing[number]?.filter { $0.key > key } }
      ringing[number, default: [:]][key] = notice.ring
      notices.append(notice)
    }
    take(.show(notices, joins: Int.random(in: 0..<6, using: &dice) == 0))
  }

  /// Restores some occurrences of an alarm from before this start, in any bubble.
  private mutating func restoreSome() {
    var notices: [Notice] = []
    for _ in 0..<Int.random(in: 1...8, using: &dice) {
      lastOccurrence += 2
      let number = Int64.random(in: 1...150, using: &dice)
      let key = (lastOccurrence + 5_000) * Self.alarms + number
      let server = Bool.random(using: &dice) ? owner ?? ":1.0" : ":1.0"
      let id = UInt32.random(in: 1_000_000...1_000_006, using: &dice)
      let shown = Bool.random(using: &dice) ? Notice.ShownBubble(id: id, server: server) : nil
      let notice = Notice(
        occurrence: key, number: number, card: card(number), dueAt: now, lateness: .zero, reason: nil,
        shown: shown)
      ringing[number, default: [:]][key] = notice.ring
      notices.append(notice)
    }
    take(.restore(notices))
  }

  private mutating func endSome() {
    guard let number = ringing.keys.sorted().randomElement(using: &dice),
      let key = ringing[number]?.keys.sorted().randomElement(using: &dice)
    else { return }
    if Bool.random(using: &dice) {
      ringing[number] = ringing[number]?.filter { $0.key == key }
      take(.retain(number: number, ringing: [key]))
    } else {
      ringing[number]?[key] = nil
      if ringing[number]?.isEmpty == true { ringing[number] = nil }
      take(.end([key]))
    }
  }

  /// The server carries out its next call.
  private mutating func serve() {
    guard owner != nil, !asked.isEmpty else {
      if case .notify(let call, _, _) = asked.first { told.append(.failed(call: call)) }
      if !asked.isEmpty { asked.removeFirst() }
      return
    }
    switch asked.removeFirst() {
    case .notify(let call, let replaces, let named):
      if habits.losesButtons, screen[replaces] != nil { fault = "a bubble lost its buttons" }
      var id = replaces
      if replaces == 0 || screen[replaces] == nil && Bool.random(using: &dice) {
        lastID += 1
        id = lastID
      }
      screen[id] = named
      // Before the answer, as servers do.
      while screen.count > room, let oldest = screen.keys.filter({ $0 != id }).min() {
        screen[oldest] = nil
        told.append(.closed(bubble: oldest, byPerson: false, server: owner ?? ""))
      }
      told.append(.answered(call: call, bubble: id, server: owner ?? ""))
    case .close(let id):
      if screen.removeValue(forKey: id) != nil {
        told.append(.closed(bubble: id, byPerson: false, server: owner ?? ""))
      }
    }
  }

  private mutating func refuse() {
    guard case .notify(let call, _, _) = asked.first else { return }
    asked.removeFirst()
    told.append(.failed(call: call))
  }

  private mutating func insist() {
    if let moment = bubbles.nextRepetition { now = max(now, moment) }
    take(.insist)
  }

  private mutating func hear() {
    if !told.isEmpty { take(told.removeFirst()) }
  }

  private mutating func person() {
    guard let owner, let id = screen.keys.sorted().randomElement(using: &dice), let text = screen[id] else {
      return
    }
    let action = ["default", "snooze", "again"].randomElement(using: &dice) ?? ""
    if Bool.random(using: &dice) {
      told.append(.chosen(bubble: id, action: action, server: owner))
      seen.append(text)
      // Some servers leave it open.
      if Bool.random(using: &dice) { return }
    }
    screen[id] = nil
    told.append(.closed(bubble: id, byPerson: true, server: owner))
    seen.append(text)
  }

  private mutating func changeOwner() {
    screen = [:]
    // Calls made without a server reach the next one.
    if owner != nil { (asked, told, seen) = ([], [], []) }
    // Earlier ids are beyond those.
    lastID = 0
    owners += 1
    owner = owner == nil || Bool.random(using: &dice) ? ":1.\(owners)" : nil
    take(.owner(owner))
  }

  private let identity = AlarmID()

  /// Some insist.
  private func card(_ number: Int64) -> AlarmCard {
    AlarmCard(
      id: identity, manner: Manner(insist: number % 7 == 0 ? .seconds(60) : nil), expression: "6m30s")
  }
}

extension BubbleInput {
  fileprivate var isPersons: Bool {
    switch self {
    case .closed(_, byPerson: true, _), .chosen: true
    default: false
    }
  }
}

extension Bubbles.Bubble {
  fileprivate var rings: [RingID] {
    var rings: [RingID] = []
    for member in members.values { member.appendRings(to: &rings) }
    return rings
  }
}

extension Bubbles {
  /// Where the indexes differ from the bubbles.
  fileprivate var disagreement: String? {
    var homes: [Int64: Int] = [:]
    var owners: [Int64: Int64] = [:]
    for (key, bubble) in bubbles {
      for member in bubble.members.values {
        if homes.updateValue(key, forKey: member.notice.number) != nil { return "an alarm in two bubbles" }
        for occurrence in member.occurrences
        where owners.updateValue(member.notice.number, forKey: occurrence) != nil {
          return "an occurrence twice"
        }
      }
      if !bubble.unsent.isSubset(of: bubble.members.keys) { return "unsent, and not there" }
      if let call = bubble.call, calls[call]?.bubble != key { return "a call that nobody knows" }
      let first = bubble.members.values.map(\.notice).min {
        ($0.dueAt, $0.occurrence) < ($1.dueAt, $1.occurrence)
      }
      if bubble.members.earliest(1).first != first { return "another one is first" }
    }
    if bubbles.values.contains(where: { $0.members.isEmpty }) { return "an empty bubble" }
    if homes != self.homes { return "homes" }
    if owners != self.owners { return "owners" }
    let ids = bubbles.values.compactMap(\.id)
    if Set(ids).count != ids.count { return "ids" }
    if bubbles.count > Self.ownLimit + 1 { return "\(bubbles.count) bubbles" }
    if calls.count > Self.unansweredLimit { return "\(calls.count) calls" }
    return nil
  }
}
