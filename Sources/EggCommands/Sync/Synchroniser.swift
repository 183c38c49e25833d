import Alarms
import EggProtocol
import EggTime
import Gettext
import Glibc
import LinuxIO

/// Makes a folder and the list equal.
///
/// The order makes a kill harmless: files are written beside their places; the state that will hold is written;
/// eggd makes all changes of the list at once and stores a mark with them; the files are put in their places.
/// Whoever finds the state that will hold asks eggd for the mark, and finishes or forgets it. If a plan leaves alarms for
/// later, all of this is done again.
struct Synchroniser {
  struct Report: Encodable, Equatable {
    /// Alarms that came from the folder.
    var added = 0
    var changed = 0
    var deleted = 0
    /// Rings that were dismissed or snoozed elsewhere.
    var answered = 0
    /// Files that came from the list.
    var filesAdded = 0
    var filesChanged = 0
    var filesDeleted = 0
    var conflicts: [String] = []
    /// What else a person should know, such as what one side has and the other cannot have. Each is told once.
    var notes: [String] = []
    /// Files that have no alarm because of a mistake.
    var problems: [String] = []

    var isQuiet: Bool {
      added + changed + deleted + answered + filesAdded + filesChanged + filesDeleted == 0
        && conflicts.isEmpty && notes.isEmpty
    }
  }

  let folder: SyncFolder
  private let file: SyncStateFile
  private let scope: SyncScope
  private let surroundings: Surroundings

  /// The list may change while the changes are worked out; then it is done again.
  private static let attempts = 20

  /// - Parameter scope: The group and the direction of a new folder; a known one keeps its own.
  init(folder: String, scope: SyncScope = SyncScope(), in surroundings: Surroundings) throws {
    self.folder = SyncFolder(path: folder)
    self.scope = scope
    self.surroundings = surroundings
    file = try SyncStateFile(folder: folder, in: surroundings)
  }

  /// Ends what `run` does for a folder: its files and their alarms have nothing in common any more.
  static func forget(_ folder: String, in surroundings: Surroundings) throws {
    let synchroniser = try Synchroniser(folder: folder, in: surroundings)
    let lock = try synchroniser.lock(synchroniser.file.path + ".lock")
    defer { lock.letGo() }
    guard var state = try synchroniser.file.read() else {
      throw Failure(.refused, tr("\(folder.visible) was never synchronised"))
    }
    state = try synchroniser.finish(state, try Connection(surroundings))
    synchroniser.file.remove()
    try surroundings.output.data(tr("\(folder.visible) is forgotten; its files and the alarms stay") + "\n")
  }

  /// - Parameter acceptsEmpty: An emptied folder deletes all alarms that were in it.
  func run(acceptsEmpty: Bool) throws -> Report {
    // Two runs at once would each undo the other's work.
    let lock = try lock(file.path + ".lock")
    defer { lock.letGo() }
    let connection = try Connection(surroundings)
    var answered: Set<AlarmID> = []
    for _ in 0..<Self.attempts {
      if var report = try attempt(connection, acceptsEmpty: acceptsEmpty, &answered) {
        report.answered = answered.count
        return report
      }
    }
    throw tooFast
  }

  private func lock(_ path: String) throws -> FileLock {
    do throws(SafeFile.Failure) {
      return try FileLock(waitingFor: path)
    } catch {
      throw Failure(.refused, tr("\(path.visible) cannot be locked: \(Gettext.reason(error.code))"))
    }
  }

  private var tooFast: Failure {
    Failure(
      .timeout, tr("the list changes too fast to be synchronised"),
      hint: "eggctl sync \(folder.path.shellQuoted)")
  }

  /// nil if the list was changed meanwhile.
  private func attempt(
    _ connection: Connection, acceptsEmpty: Bool, _ answered: inout Set<AlarmID>
  ) throws -> Report? {
    var state = try finish(file.read() ?? SyncState(), connection)
    let kept = (state.group, state.isReadOnly)
    let scope = try scope(&state, connection)
    let isAsKept = (state.group, state.isReadOnly) == kept
    let position = try connection.read(SyncMarkCall(calendar: state.calendar))
    if position.mark != state.mark || position.sequence < state.sequence ?? 0 {
      // Another list, or an older copy of this one: nothing in it was deleted.
      state = state.forgotten
    }
    let files = try scan(state, acceptsEmpty: acceptsEmpty)
    if isAsKept, position.sequence == state.sequence, state.others == scope.others.names,
      isKnown(files, state)
    {
      return report(of: SyncPlan(), state.entries)
    }
    if !isAsKept, files.isEmpty, let group = state.group, try !exists(group, connection) {
      try surroundings.output.hint(
        tr("there is no group '\(group.visible)' yet; eggctl group lists the groups"))
    }
    let now = surroundings.now()
    state.note(files, at: now)
    state.others = scope.others.names
    var alarms: [WireAlarm] = []
    try connection.pages(ListCall()) { alarms += $0.alarms }
    try checkGroup(of: state, alarms, connection)
    let context = ReadingContext(now: now, zone: try surroundings.zone())
    let reader = ContentReader(
      context: context, daysOff: try connection.daysOff(), scope: scope, since: state.since)
    let plan = try SyncPlanner.plan(
      state.entries, folder, files, alarms, reader, cleared: try cleared(state, alarms, connection),
      elsewhere: { try file.files(beside: state.group) { try exists($0, connection) } })
    let answers = plan.answers.filter { answered.insert($0.id).inserted }
    guard answers.isEmpty else {
      for answer in answers { try carryOver(answer, connection) }
      return nil
    }
    return try carryOut(plan, state, position, connection)
  }

  /// Those of the alarms that are gone which eggd has deleted by itself.
  private func cleared(
    _ state: SyncState, _ alarms: [WireAlarm], _ connection: Connection
  ) throws -> Set<AlarmID> {
    let present = Set(alarms.compactMap(\.id))
    var gone = state.entries.compactMap(\.id).filter { !present.contains($0) }[...]
    var cleared: Set<AlarmID> = []
    while !gone.isEmpty {
      let call = SyncMarkCall(calendar: state.calendar, gone: Array(gone.prefix(1_000)))
      cleared.formUnion(try connection.read(call).cleared ?? [])
      gone = gone.dropFirst(1_000)
    }
    return cleared
  }

  /// What the folder has: as it was, or as asked for the first time.
  private func scope(_ state: inout SyncState, _ connection: Connection) throws -> SyncScope {
    let others = file.others()
    if let group = scope.group, state.group != group {
      if state.isInUse {
        guard let old = state.group, try !exists(old, connection) else {
          throw Failure(
            .refused,
            state.group.map { tr("\(folder.path.visible) has the group '\($0.visible)'") }
              ?? tr("\(folder.path.visible) has alarms of all groups"),
            hint: "eggctl sync \(folder.path.shellQuoted) --remove")
        }
        guard try exists(group, connection) else { throw Failure.unknownGroup(group) }
      }
      state.group = group
    }
    if let group = state.group, let other = others.groups[group] {
      throw Failure(
        .refused, tr("the group '\(group.visible)' has a folder: \(other.visible)"),
        hint: "eggctl sync \(other.shellQuoted) --remove")
    }
    if scope.isReadOnly { state.isReadOnly = true }
    return SyncScope(group: state.group, isReadOnly: state.isReadOnly == true, others: others)
  }

  private func exists(_ group: String, _ connection: Connection) throws -> Bool {
    try connection.read(ListGroupsCall()).groups.contains { $0.name == group }
  }

  /// Without its group, all of the folder would count as deleted here.
  private func checkGroup(of state: SyncState, _ alarms: [WireAlarm], _ connection: Connection) throws {
    guard let group = state.group, state.isInUse, !alarms.contains(where: { $0.group == group }),
      try !exists(group, connection)
    else { return }
    let ids = Set(state.entries.compactMap(\.id))
    let groups = Set(alarms.filter { $0.id.map(ids.contains) ?? false }.map(\.group))
    let heir = groups.count == 1 ? groups.first ?? nil : nil
    throw Failure(
      .refused,
      tr("the group '\(group.visible)' was renamed or deleted; \(folder.path.visible) stays as it is"),
      hint: "eggctl sync \(folder.path.shellQuoted) "
        + (heir.map { "--group \($0.shellQuoted)" } ?? "--remove"))
  }

  private func isKnown(_ files: [String: SyncFolder.Stamp], _ state: SyncState) -> Bool {
    files.count == state.entries.count
      && state.entries.allSatisfy { entry in
        entry.problem == nil && entry.stamp != nil && entry.stamp == files[entry.file]
          && (entry.id == nil || entry.digest != nil)
      }
  }

  private func scan(_ state: SyncState, acceptsEmpty: Bool) throws -> [String: SyncFolder.Stamp] {
    let files = try folder.scan()
    let paired = state.entries.count { $0.id != nil }
    // Without a placeholder that may be gone too, the last alarm may have been deleted on purpose.
    let least = state.entries.contains { $0.file == SyncPlaceholder.file } ? 1 : 2
    if files?.isEmpty ?? true, paired >= least, !acceptsEmpty {
      let place = folder.path.visible
      throw Failure(
        .refused,
        files == nil
          ? tr("\(place) is gone; \(Counted.alarms(Int64(paired))) would be deleted")
          : tr("\(place) is empty; \(Counted.alarms(Int64(paired))) would be deleted"),
        hint: "eggctl sync \(folder.path.shellQuoted) --accept-empty")
    }
    if files == nil, state.isReadOnly != true { try folder.create() }
    return files ?? [:]
  }

  private func carryOver(_ answer: SyncPlan.Answer, _ connection: Connection) throws {
    let selection = WireSelection(ids: [answer.id])
    do {
      if let until = answer.until {
        let span = max(until - surroundings.now(), SnoozeCall.spans.lowerBound)
        let call = SnoozeCall(selection, span: min(span, SnoozeCall.spans.upperBound))
        _ = try connection.call(call)
      } else {
        _ = try connection.call(DismissCall(selection))
      }
    } catch let failure as Failure {
      // By now it may have been answered here, or be gone.
      switch failure.cause {
      case .wrongState, .noSuchAlarm: break
      default: throw failure
      }
    }
  }

  private func carryOut(
    _ plan: SyncPlan, _ state: SyncState, _ position: SyncMarkReply, _ connection: Connection
  ) throws -> Report? {
    var next = state
    next.entries = plan.entries
    next.sequence = position.sequence
    guard plan.changesList || plan.changesFolder else {
      try file.write(next)
      return report(of: plan, next.entries)
    }
    next.mark = AlarmID().description
    next.steps = SyncState.Steps(
      writes: plan.writes.map {
        .init(file: $0.file, staged: SyncFolder.stagingName(), replaced: $0.replaced, source: $0.source)
      }, removals: plan.removals)
    // Until they are in their places, nobody knows these files.
    let written = Set(plan.writes.map(\.file))
    for place in next.entries.indices where written.contains(next.entries[place].file) {
      next.entries[place].stamp = nil
    }
    // It names what is staged, so it comes first: the next run removes what a kill has left.
    try file.next.write(next)
    do {
      for (step, write) in zip(next.steps?.writes ?? [], plan.writes) {
        try folder.stage(step.staged, write.bytes, as: step.file)
      }
    } catch {
      forget(next)
      throw error
    }
    // A power cut after the commit must lose none: an alarm whose file is gone counts as deleted in the folder.
    if !plan.writes.isEmpty { folder.settle() }
    guard let reply = try commit(plan, next, position, connection) else {
      forget(next)
      return nil
    }
    next.sequence = reply.sequence
    try changeFolder(&next, from: state)
    return report(of: plan, next.entries)
  }

  /// Does to the folder what is left to do, and keeps the state.
  private func changeFolder(_ next: inout SyncState, from state: SyncState) throws {
    let steps = next.steps ?? SyncState.Steps()
    let places = Dictionary(
      next.entries.indices.map { (next.entries[$0].file, $0) }, uniquingKeysWith: { first, _ in first })
    var sources: [SyncState.Steps.Removal] = []
    for write in steps.writes {
      guard folder.isStaged(write.staged, as: write.file) else {
        // It was put in its place before eggctl was killed.
        if let source = write.source, folder.stamp(of: write.file) != nil { sources.append(source) }
        continue
      }
      guard let place = places[write.file] else { continue }
      if try folder.publish(write.staged, as: write.file, over: write.replaced) {
        next.entries[place].stamp = folder.stamp(of: write.file)
        if let source = write.source { sources.append(source) }
      } else {
        // Somebody has changed it since it was read. The next time compares it with what both had before.
        folder.unstage(write.staged, as: write.file)
        if let old = state.entries.first(where: { $0.file == write.file }) { next.entries[place] = old }
        next.entries[place].stamp = nil
      }
    }
    for removal in steps.removals { try folder.remove(removal.file, removal.stamp) }
    folder.settle()
    for source in sources {
      try SyncFolder(path: source.folder ?? folder.path).remove(source.file, source.stamp)
    }
    next.steps = nil
    try file.write(next)
    file.next.remove()
  }

  /// nil if the list was changed since it was read.
  private func commit(
    _ plan: SyncPlan, _ next: SyncState, _ position: SyncMarkReply, _ connection: Connection
  ) throws -> CommitImportReply? {
    var staging = Staging(connection, surroundings.output)
    for alarm in plan.created + plan.replaced { try staging.add(ImportedAlarm(alarm: alarm), line: 0) }
    for id in plan.deleted { try staging.delete(id) }
    try staging.finish()
    if let problem = staging.problems.first { throw Failure(.refused, problem.text) }
    var call = CommitImportCall()
    call.calendar = next.calendar
    call.mark = next.mark
    call.sequence = position.sequence
    let count = Int64(plan.created.count + plan.replaced.count + plan.deleted.count)
    do {
      return try connection.call(call, alarms: count)
    } catch let failure as Failure {
      guard case .changedSince? = failure.cause else { throw failure }
      return nil
    }
  }

  /// Finishes what an earlier run began, or forgets it.
  private func finish(_ state: SyncState, _ connection: Connection) throws -> SyncState {
    guard var next = try file.next.read() else { return state }
    for _ in 1..<Self.attempts {
      let position = try connection.read(SyncMarkCall(calendar: next.calendar))
      if position.mark == next.mark {
        // What happened to the list since is seen by comparing.
        next.sequence = nil
        try changeFolder(&next, from: state)
        return next
      }
      // eggd may have the call still: a change of the list in between makes it refuse that.
      var last = state
      last.calendar = next.calendar
      last.mark = position.mark ?? AlarmID().description
      if try commit(SyncPlan(), last, position, connection) != nil {
        forget(next)
        return state
      }
    }
    throw tooFast
  }

  private func forget(_ next: SyncState) {
    for write in next.steps?.writes ?? [] { folder.unstage(write.staged, as: write.file) }
    file.next.remove()
  }

  private func report(of plan: SyncPlan, _ entries: [SyncState.Entry]) -> Report {
    let writes = plan.writes.filter { $0.file != SyncPlaceholder.file }
    let changed = writes.count { $0.replaced != nil }
    func told(_ isConflict: Bool) -> [String] {
      plan.notices.filter { $0.isConflict == isConflict }.map { "\($0.subject): \($0.text)" }
    }
    return Report(
      added: plan.created.count, changed: plan.replaced.count, deleted: plan.deleted.count,
      filesAdded: writes.count - changed, filesChanged: changed, filesDeleted: plan.removals.count,
      conflicts: told(true), notes: told(false),
      problems: entries.compactMap { entry in entry.problem.map { "\(entry.file.visible): \($0)" } })
  }
}
