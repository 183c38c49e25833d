import Alarms
import Glibc
import LinuxIO
import Ringing

/// Why commands run.
enum HookOccasion: String {
  case ring
  /// It rang, and nobody has answered.
  case unanswered

  func command(of card: AlarmCard) -> AlarmCommand? {
    switch self {
    case .ring: card.command
    case .unanswered: card.unansweredCommand
    }
  }
}

/// One command that runs because of one ring.
package struct Hook: Sendable {
  /// Of the alarm's own command its text, of a program in a folder its path.
  var name: String
  /// The program first.
  var words: [String]
  var ring: RingID
  var number: Int64
  /// `EGG_…` variables, as the entry of the ring in the journal has them.
  var variables: [(name: String, value: String)]

  init(_ notice: Notice, _ occasion: HookOccasion, name: String, words: [String]) {
    self.name = name
    self.words = words
    ring = notice.ring
    number = notice.number
    variables = notice.record.fields + [("EGG_OCCASION", occasion.rawValue)]
  }

  /// How long a hook may run, in seconds.
  package static let patience = 600
}

package struct HookEnd: Hashable, Sendable {
  var number: Int64
  var ring: RingID
  var run: HookRun
  /// It ran in eggd's sandbox, as no service manager could be asked.
  var isConfined = false
}

extension HookEnd {
  var record: JournalRecord {
    let whose = "of alarm #\(number)"
    let place = isConfined ? " in eggd's sandbox, as there is no bus to the service manager" : ""
    let (id, text, field): (MessageID, String, (String, String)?) =
      switch run.result {
      case .exited(0): (.hookEnded, "A command \(whose) succeeded", ("EXIT_STATUS", "0"))
      case .exited(let status):
        (.hookFailed, "A command \(whose) failed with status \(status)\(place)", ("EXIT_STATUS", "\(status)"))
      case .killed(let signal):
        (
          .hookFailed, "A command \(whose) was ended by signal \(signal ?? 0)",
          ("EGG_SIGNAL", "\(signal ?? 0)")
        )
      case .timedOut:
        (.hookFailed, "A command \(whose) ran for more than \(Hook.patience) s and was ended", nil)
      case .notStarted(let reason):
        (.hookNotStarted, "A command \(whose) did not start: \(reason)", ("EGG_REASON", reason))
      case .other: (.hookEnded, "A command \(whose) ended; how is not known", nil)
      }
    return JournalRecord(
      id, id == .hookEnded ? .info : .warning, "\(text): \(run.hook.visible)",
      [("EGG_ALARM_NUMBER", String(number)), ("EGG_HOOK", run.hook)] + [field].compactMap { $0 })
  }
}

/// The programs that run at every ring, or whenever nobody answers: `on-ring.d` and `on-unanswered.d` beside config.toml.
extension HookOccasion {
  private static let mostPrograms = 16

  /// The folder's executable files by name; hidden files and backups of editors are none.
  ///
  /// - Returns: With each, why another user could change it: then it does not run.
  func programs(_ environment: [String: String]) -> [(path: String, exposure: String?)] {
    guard let file = ConfigurationFile.path(environment) else { return [] }
    let folder = "on-\(rawValue).d"
    let path: String = file.prefix(upTo: file.lastIndex(of: "/") ?? file.endIndex) + "/" + folder
    let files = (FileSystem.names(in: path) ?? []).filter { !$0.hasPrefix(".") && !$0.hasSuffix("~") }
      .sorted().map { path + "/" + $0 }
    let exposure = FileSystem.exposure(of: path).map { "\(folder): \($0)" }
    return files.filter(Self.isProgram).prefix(Self.mostPrograms).map {
      ($0, exposure ?? FileSystem.exposure(of: $0))
    }
  }

  private static func isProgram(_ path: String) -> Bool {
    FileSystem.status(path).map { $0.st_mode & S_IFMT == S_IFREG && $0.st_mode & S_IXUSR != 0 } ?? false
  }
}
