import EggTime

extension Course {
  /// The days on which one keeps quiet, since 1970.
  package struct Quiet: Hashable, Sendable {
    /// Of ranges to skip.
    package var skips: Set<Int> = []
    /// Days off, by the names under which it keeps quiet on them.
    package var except: [String: Set<Int>] = [:]
    /// Days off, by the names under which it rings on them alone.
    package var only: [String: Set<Int>] = [:]

    package init() {}

    /// Days off under a name are others.
    package mutating func change(_ name: String, to days: Set<Int>) {
      if except[name] != nil { except[name] = days }
      if only[name] != nil { only[name] = days }
    }

    /// Days to skip that are over go, but for those of a range that is not.
    package mutating func skip(_ days: Set<Int>, today: Int) {
      func lasts(_ day: Int) -> Bool { day >= today || skips.contains(day + 1) && lasts(day + 1) }
      skips = skips.filter(lasts).union(days)
    }

    var isNone: Bool { skips.isEmpty && except.values.allSatisfy(\.isEmpty) && only.isEmpty }

    /// The first day from `day` on that is not quiet; nil for none.
    func firstDay(from day: Int) -> Int? {
      let named = except.values.reduce(skips) { $0.union($1) }
      let onlyOn = only.values.reduce(into: Set<Int>()) { $0.formUnion($1) }
      let last = max(named.max() ?? day, onlyOn.max() ?? day, day)
      return (day...last + 1).first { !named.contains($0) && (only.isEmpty || onlyOn.contains($0)) }
    }
  }

  /// One pass over the things that ring after some moment.
  package struct Passed {
    /// Up to another moment.
    var rings: [(at: Instant, thing: Instant)] = []
    /// The first ring after that.
    var next: Instant?
    /// The first thing that is not on a quiet day.
    var first: Instant?
    /// How many things there are from that one on, those on quiet days among them; not known of one without a count.
    var things: Int64 = 0
    /// How many of these come before the first that rings after the other moment.
    var used: Int64 = 0

    /// How many things rang, but for those that rang at that moment, too.
    func others(than moment: Instant) -> Int {
      Set(rings.map(\.thing)).subtracting(rings.filter { $0.at == moment }.map(\.thing)).count
    }
  }
}

extension Course.Recurring {
  /// What rings after `start`, up to `now` and next. Things of more than 1 001 rings are not walked along.
  func walk(after start: Instant, to now: Instant, in zone: Zone) -> Course.Passed {
    let leads = leads.isEmpty ? [.zero] : leads
    let (shortest, longest) = (leads.min() ?? .zero, leads.max() ?? .zero)
    var passed = Course.Passed()
    var base = start + shortest
    while let thing = thing(after: base, in: zone), thing <= until,
      passed.next.map({ thing - longest < $0 }) ?? true, passed.things < left,
      passed.others(than: start) <= 1_001
    {
      let day = zone.civil(at: thing).dayNumber
      guard let loud = quiet.firstDay(from: day) else { break }
      guard loud == day || left != .max && passed.first != nil else {
        base = zone.resolve(CivilDateTime(dayNumber: loud)).instant - TimeSpan(microseconds: 1)
        continue
      }
      base = thing
      let rings = loud == day ? leads.map { thing - $0 }.filter { $0 > start } : []
      if passed.first == nil, !rings.isEmpty { passed.first = thing }
      if passed.first != nil { passed.things += 1 }
      if passed.next == nil, rings.allSatisfy({ $0 <= now }) { passed.used = passed.things }
      passed.rings += rings.filter { $0 <= now }.map { ($0, thing) }
      if let next = ([passed.next].compactMap { $0 } + rings.filter { $0 > now }).min() { passed.next = next }
    }
    return passed
  }

  /// A thing is over, and so are those on quiet days before the next.
  mutating func use(from thing: Instant, to next: Instant?, in zone: Zone) {
    guard left != .max else { return }
    left -= 1
    var base = thing
    while left > 0, let later = self.thing(after: base, in: zone), later <= until,
      next.map({ later < $0 }) ?? (quiet.firstDay(from: zone.civil(at: later).dayNumber) != nil)
    {
      left -= 1
      base = later
    }
  }

  /// The first thing that is not on a quiet day and rings after a moment, whatever the count.
  func firstThing(after base: Instant, in zone: Zone) -> Instant? {
    var endless = self
    endless.left = .max
    return endless.walk(after: base, to: base, in: zone).first
  }

  /// It waits for another thing, later or sooner: those between are used up, or left again.
  mutating func move(from old: Instant?, to new: Instant?, in zone: Zone) {
    guard left != .max, let old, let new else { return }
    let end = max(old, new)
    var base = min(old, new) - TimeSpan(microseconds: 1)
    var between: Int64 = 0
    while new < old || between < left, let thing = thing(after: base, in: zone), thing < end {
      between += 1
      base = thing
    }
    left += new < old ? between : -between
  }
}
