import Dispatch
import EggTime

/// Has alarms deleted that have been over for long: once a day of running, while it is told to. Confined to the store's
/// queue.
final class Clearing: @unchecked Sendable {
  private static let day: Int64 = 86_400_000_000

  private let file: StoreFile
  private let context: StoreContext
  private let commit: ZoneFollower.Commit
  /// How long they stay; nil for ever.
  private var keep: TimeSpan?
  /// On CLOCK_MONOTONIC: what eggd ran before that is in the database.
  private var counted: Int64 = 0
  /// Delayed calls of earlier ones do nothing.
  private var turn = 0

  /// - Parameter commit: Makes a change with the next commit, at once.
  init(_ file: StoreFile, _ context: StoreContext, commit: @escaping ZoneFollower.Commit) {
    self.file = file
    self.context = context
    self.commit = commit
  }

  func keep(for span: TimeSpan?) {
    dispatchPrecondition(condition: .onQueue(context.queue))
    let isNew = keep == nil
    keep = span
    guard span != nil, isNew, !file.isClosed else { return }
    counted = context.clock.read().monotonic
    wait()
  }

  /// Keeps what eggd has run since the last day. A kill loses it: alarms then stay longer.
  func stop() {
    guard keep != nil else { return }
    keep(for: nil)
    let ran = context.clock.read().monotonic - counted
    try? file.inTransaction { try $0.run("UPDATE schedule SET ran = ran + ?", [ran]) }
  }

  private func wait() {
    let ran = (try? file.read { try $0.number("SELECT ran FROM schedule") }) ?? nil
    let left = Self.day - max(0, ran ?? 0) % Self.day
    turn += 1
    context.clock.call(after: Int(left / 1_000_000) + 1, on: context.queue) { [weak self, turn] in
      guard let self, turn == self.turn, let keep else { return }
      clear(keep)
      wait()
    }
  }

  private func clear(_ keep: TimeSpan) {
    let now = context.clock.read()
    let ran = TimeSpan(microseconds: now.monotonic - counted)
    let request = ChangeRequest(ClearOverChange(ran: ran, keep: keep), readAt: now, client: .keepOver)
    // If it fails, the next day counts it too.
    commit(request) { [weak self] result in
      if case .success = result { self?.counted = now.monotonic }
    }
  }
}
