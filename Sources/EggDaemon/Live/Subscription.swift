import EggProtocol
import EggStore
import Varlink

/// One client's subscription: the list in pages, then every change after the first page; or only the changes.
///
/// Each page is a separate read, so later pages may contain later changes. Those are sent again; applying
/// them twice changes nothing. Confined to the wire's queue, hence safe to capture in closures that return to
/// it. Pages become JSON on the reader's thread.
final class Subscription: @unchecked Sendable {
  private let call: ServerCall
  private let pages: Bool
  private unowned let feed: ChangeFeed
  /// Removes it from the feed.
  private let end: @Sendable () -> Void
  /// The last change that was sent or is in the list.
  private var sequence: Int64 = 0
  /// The list is complete.
  private var isLive = false
  /// The list in progress is void.
  private var isVoid = false
  /// Commits since the list began.
  private var pending: [ToldChange] = []
  private var pendingBytes = 0
  /// The groups, if they changed since the list began.
  private var pendingGroups: [WireGroup]?

  /// Beyond this, a list in progress becomes void: reading it again is cheaper than keeping the changes.
  private static let pendingLimit = 1 << 20

  /// A client further behind loses the stream with an error. The server's own limit would cut it off without
  /// one.
  private static let unsentLimit = 3 << 20

  init(_ call: ServerCall, pages: Bool, feed: ChangeFeed, end: @escaping @Sendable () -> Void) {
    self.call = call
    self.pages = pages
    self.feed = feed
    self.end = end
  }

  /// Sends the list, then the changes.
  func begin() {
    isLive = false
    isVoid = false
    drop()
    if pages {
      readGroups()
    } else {
      // Commits still on their way here have numbers up to this.
      sequence = feed.store.sequence
      goLive()
    }
  }

  func committed(_ change: ToldChange) {
    if isLive {
      tell(change)
    } else if !isVoid {
      pending.append(change)
      pendingBytes += change.messages.reduce(0) { $0 + $1.count }
      if pendingBytes > Self.pendingLimit { startOver() }
    }
  }

  func changed(_ groups: [WireGroup]) {
    if isLive {
      guard isInTime() else { return }
      tell(groups, as: sequence)
    } else if !isVoid {
      pendingGroups = groups
    }
  }

  func startOver() {
    if isLive {
      beginAnew()
    } else {
      // The page in progress ends first.
      isVoid = true
      drop()
    }
  }

  private func beginAnew() {
    guard isInTime() else { return }
    call.reply(SubscribeReply(part: .startOver, sequence: feed.store.sequence), continues: true)
    begin()
  }

  /// Ends the stream of a client that does not read.
  private func isInTime() -> Bool {
    guard call.unsentBytes > Self.unsentLimit else { return true }
    fail(ScheduleError.tooSlow.failure)
    return false
  }

  private func fail(_ failure: CallFailure) {
    end()
    isLive = false
    isVoid = true
    drop()
    call.fail(failure)
  }

  private func readGroups() {
    feed.reads.read(for: call, { try $0.groups(named: nil) }) { [self] result in
      switch result {
      case .success(let sums):
        if !sums.isEmpty { tell(sums.map(WireGroup.init), as: feed.store.sequence) }
        read(after: nil)
      case .failure(let error): fail(error.failure)
      }
    }
  }

  private func read(after: ListCursor?) {
    let text = PageWriter(wallOf: feed.wallClock())
    let query = ListQuery(after: after, withTotals: false)
    feed.reads.read(for: call, { try $0.list(query, each: text.add) }) { [self] result in
      switch result {
      case .success(let page):
        if after == nil { sequence = page.sequence }
        send(text.elements, of: page)
      case .failure(let error): fail(error.failure)
      }
    }
  }

  private func send(_ elements: EncodedElements, of page: ListPage) {
    guard !isVoid else { return beginAnew() }
    if !elements.bytes.isEmpty {
      call.reply(WrittenAlarms(alarms: elements, part: .page, sequence: sequence), continues: true)
    }
    guard let after = page.after else { return goLive() }
    call.whenUnsent(atMost: Listing.unsentBytes) { [self] in read(after: after) }
  }

  private func goLive() {
    call.awaitEvent()
    call.reply(SubscribeReply(part: .ready, sequence: sequence), continues: true)
    isLive = true
    let (waiting, groups) = (pending, pendingGroups)
    drop()
    if let groups { tell(groups, as: sequence) }
    for change in waiting { tell(change) }
  }

  private func tell(_ groups: [WireGroup], as sequence: Int64) {
    call.reply(SubscribeReply(part: .groups, sequence: sequence, groups: groups), continues: true)
  }

  private func tell(_ change: ToldChange) {
    guard change.sequence > sequence else { return }
    sequence = change.sequence
    for message in change.messages {
      guard isInTime() else { return }
      call.reply(json: message, continues: true)
    }
  }

  private func drop() {
    pending = []
    pendingBytes = 0
    pendingGroups = nil
  }
}
