import EggStore

/// The oracle of the list's order: where the alarms stand by what was acknowledged.
struct ListOrder {
  private var numbers: [Int64] = []
  /// Alarms whose places no reply has told.
  private var unknown: Set<Int64> = []
  /// When each was placed last, as a count of replies.
  private var placed: [Int64: Int] = [:]
  private(set) var replies = 0

  mutating func made(_ number: Int64) {
    replies += 1
    placed[number] = replies
    numbers.append(number)
  }

  mutating func deleted(_ gone: Set<Int64>) { numbers.removeAll { gone.contains($0) } }

  mutating func forget(_ some: some Sequence<Int64>) { unknown.formUnion(some) }

  mutating func forgetAll() { forget(numbers) }

  /// Those that were placed since a change of many was asked for: whether they stand before its alarms or behind is not
  /// promised.
  ///
  /// - Parameter asked: ``replies`` at that moment.
  mutating func forgetPlaced(since asked: Int) { forget(placed.filter { $0.value > asked }.keys) }

  /// These stand next to each other now, in the order that they had.
  ///
  /// - Parameter asked: ``replies`` when the move was asked for.
  mutating func moved(_ moved: Set<Int64>, to place: Place, asked: Int) {
    let block = numbers.filter { moved.contains($0) }
    let isUnknown = !unknown.isDisjoint(with: moved) || block.count < moved.count
    numbers.removeAll { moved.contains($0) }
    forgetPlaced(since: asked)
    unknown.subtract(moved)
    replies += 1
    for number in moved { placed[number] = replies }
    // How they stand among themselves.
    if isUnknown, moved.count > 1 { forget(moved) }
    switch place {
    case .top: numbers.insert(contentsOf: block, at: 0)
    case .bottom: numbers.append(contentsOf: block)
    case .before(let other), .after(let other):
      let index = numbers.firstIndex(of: other)
      if index == nil || unknown.contains(other) { forget(moved) }
      let isAfter = place == .after(other)
      numbers.insert(contentsOf: block, at: index.map { $0 + (isAfter ? 1 : 0) } ?? 0)
    }
  }

  /// Compares with the rows by their places, and learns from them what no reply has told.
  ///
  /// - Parameter doubtful: Of these a change was on its way when eggd was killed.
  /// - Returns: What is wrong.
  mutating func compare(with rows: [Int64], doubtful: Set<Int64>) -> String? {
    let sure = Set(numbers).intersection(rows).subtracting(unknown).subtracting(doubtful)
    let expected = numbers.filter { sure.contains($0) }
    let found = rows.filter { sure.contains($0) }
    (numbers, unknown) = (rows, [])
    guard expected != found else { return nil }
    let index = zip(expected, found).enumerated().first { $0.element.0 != $0.element.1 }?.offset ?? 0
    func around(_ numbers: [Int64]) -> [Int64] { Array(numbers[max(index - 2, 0)...].prefix(7)) }
    return "the list has \(around(found)) at place \(index), not \(around(expected))"
  }
}
