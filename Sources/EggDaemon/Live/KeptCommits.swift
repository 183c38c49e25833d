import EggStore

/// Commits that come while somebody reads: each is kept once, whoever reads, and let go of when all who read have it.
struct KeptCommits {
  private var commits: [CommittedChanges] = []
  /// How many came before the first that is kept.
  private var forgotten = 0
  /// Who reads, and how many commits had come when that began.
  private var readers: [UInt64: Int] = [:]
  /// Alarms in the commits that are kept.
  private var alarms = 0

  /// Of more alarms none is kept: who reads has to do so again.
  static let alarmsLimit = 1_000

  /// Commits that are kept.
  var count: Int { commits.count }

  /// A reading begins: commits from here on may not be in it.
  mutating func begin(_ reader: UInt64) { readers[reader] = forgotten + commits.count }

  mutating func add(_ changes: CommittedChanges) {
    guard !readers.isEmpty else { return }
    guard let touched = changes.alarms else { return forget() }
    commits.append(changes)
    alarms += touched.count
    if alarms > Self.alarmsLimit { forget() }
  }

  /// That reading is over, or given up.
  ///
  /// - Returns: What came since it began, in order; nil where that is not known, and all is to be read again.
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

  /// What is being read is void.
  private mutating func forget() {
    readers = [:]
    forgotten += commits.count
    commits = []
    alarms = 0
  }
}
