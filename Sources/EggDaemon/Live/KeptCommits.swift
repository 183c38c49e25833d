import EggStore

/// Commits during reads: each is kept once, and dropped when all readers have it.
struct KeptCommits {
  private var commits: [CommittedChanges] = []
  /// Commits before the first kept one.
  private var forgotten = 0
  /// Each reader, with the number of commits when it began.
  private var readers: [UInt64: Int] = [:]
  /// Alarms in the kept commits.
  private var alarms = 0

  /// With more alarms, nothing is kept, and readers have to start again.
  static let alarmsLimit = 1_000

  var count: Int { commits.count }

  /// Begins a read, which may not contain later commits.
  mutating func begin(_ reader: UInt64) { readers[reader] = forgotten + commits.count }

  mutating func add(_ changes: CommittedChanges) {
    guard !readers.isEmpty else { return }
    guard let touched = changes.alarms else { return forget() }
    commits.append(changes)
    alarms += touched.count
    if alarms > Self.alarmsLimit { forget() }
  }

  /// Ends a read.
  ///
  /// - Returns: The commits since it began, in order; nil if they are unknown, and everything has to be read
  ///   again.
  @discardableResult
  mutating func end(_ reader: UInt64) -> [CommittedChanges]? {
    guard let begin = readers.removeValue(forKey: reader) else { return nil }
    let since = Array(commits[(begin - forgotten)...])
    let oldest = readers.values.min() ?? forgotten + commits.count
    for changes in commits.prefix(oldest - forgotten) { alarms -= changes.alarms?.count ?? 0 }
    commits.removeFirst(oldest - forgotten)
    forgotten = oldest
    return since
  }

  /// Makes the reads in progress void.
  private mutating func forget() {
    readers = [:]
    forgotten += commits.count
    commits = []
    alarms = 0
  }
}
