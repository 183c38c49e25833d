import EggProtocol

/// Values that only eggd knows. What it does not tell in time is not offered.
struct LiveValues {
  /// Candidates of one answer.
  static let most = 100

  private let client: ScheduleClient
  private let deadline: ContinuousClock.Instant

  /// nil if eggd cannot be reached. Connecting starts eggd where its socket unit is active, as each verb does.
  init?(_ surroundings: Surroundings) {
    deadline = .now + surroundings.glance
    guard surroundings.host == nil, let path = try? surroundings.socketPath(),
      let client = try? ScheduleClient(path: path, timeout: surroundings.glance)
    else { return nil }
    self.client = client
  }

  func groups() -> [Offer.Candidate] {
    let groups = (try? client.call(ListGroupsCall(), timeout: left))?.groups ?? []
    return groups.map { .init($0.name, Counted.alarms($0.alarms)) }
  }

  func daysOff() -> [Offer.Candidate] {
    let found = (try? client.call(ListDaysOffCall(), timeout: left))?.daysOff ?? []
    return found.map { .init($0.name, Counted.days($0.count)) }
  }

  func timers() -> [Offer.Candidate] {
    guard let reply = try? client.call(ConfigCall(), timeout: left) else { return [] }
    return Preset.all(in: reply).map { .init($0.name, $0.time) }
  }

  /// The first alarms that fit, by number, with their labels. Without a label it is the time as entered.
  func alarms(_ source: ValueSource, prefix: String, except named: Set<String>) -> [Offer.Candidate] {
    candidates(source) { alarm in
      let number = "\(alarm.number)"
      guard number.hasPrefix(prefix), !named.contains(number) else { return nil }
      return .init(number, alarm.label ?? alarm.expression)
    }
  }

  /// The labels of alarms that fit and begin so, in any case, with their numbers.
  func labels(_ source: ValueSource, prefix: String) -> [Offer.Candidate] {
    candidates(source) { alarm in
      guard let label = alarm.label, label.lowercased().hasPrefix(prefix.lowercased()) else { return nil }
      return .init(label, "#\(alarm.number)")
    }
  }

  private func candidates(
    _ source: ValueSource, _ candidate: (WireAlarm) -> Offer.Candidate?
  ) -> [Offer.Candidate] {
    guard let call = source.alarmCall else { return [] }
    var found: [Offer.Candidate] = []
    // What has come until the time is over counts.
    try? client.stream(call, timeout: left) { page in
      found += page.alarms.filter(source.fits).compactMap(candidate)
      return found.count < Self.most && left > .zero
    }
    return Array(found.prefix(Self.most))
  }

  private var left: Duration { ContinuousClock.now.duration(to: deadline) }
}
