import EggProtocol
import Gettext
import Glibc
import LinuxIO

/// `eggctl sync --watch`: synchronises after each change of the list or the folder, and every five minutes for
/// file systems that do not tell of changes.
struct SyncWatching {
  let synchroniser: Synchroniser
  let surroundings: Surroundings
  let json: Bool

  /// Changes that come together are carried over together.
  private static let calm = Duration.milliseconds(500)
  private static let longest = Duration.seconds(300)

  func run(acceptsEmpty: Bool) throws {
    var told: Set<String> = []
    var watch = folderWatch()
    let stream = try LiveStream(surroundings, SubscribeCall(pages: false), alsoWatching: watch?.descriptor)
    var next = ContinuousClock.now
    var failed: Failure?
    while true {
      switch try stream.next(until: next) {
      case .message, .back: next = min(next, .now + Self.calm)
      case .readable:
        // A folder that was moved or removed; one that is made anew is another one to the kernel.
        let gone = IN_DELETE_SELF | IN_MOVE_SELF | IN_IGNORED
        if watch?.events().contains(where: { $0.isAny(of: gone) }) ?? true {
          watch = nil
          stream.alsoWatched = nil
        }
        next = min(next, .now + Self.calm)
      case .refused(.tooSlow):
        try stream.begin()
        next = .now
      case .refused(let error): throw Connection.failure(of: .refused(error), precondition: nil, surroundings)
      case .away: try surroundings.output.hint(tr("eggd is away; it goes on when it is back"))
      case .time:
        do {
          let report = try synchroniser.run(acceptsEmpty: acceptsEmpty)
          let new = (report.conflicts + report.notes + report.problems).filter { !told.contains($0) }
          told = Set(report.problems)
          if json, !report.isQuiet || !new.isEmpty {
            try surroundings.output.print(report, asJSON: json)
          } else {
            try surroundings.output.notes(new)
            if !report.isQuiet { try surroundings.output.data(report.line + "\n") }
          }
          try surroundings.output.flush()
          failed = nil
        } catch let failure as Failure where failure != .unwritable(EPIPE) {
          if failure != failed { try surroundings.output.report(failure) }
          failed = failure
        }
        next = .now + Self.longest
        if watch == nil {
          watch = folderWatch()
          stream.alsoWatched = watch?.descriptor
        }
      case .readerGone: return
      }
    }
  }

  /// Tells when files of the folder change. nil if there is no such folder, or no watch to be had.
  private func folderWatch() -> Inotify? {
    let kinds = IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_DELETE_SELF | IN_MOVE_SELF
    guard let watch = Inotify(), watch.watch(synchroniser.folder.path, for: kinds) != nil else { return nil }
    return watch
  }
}
