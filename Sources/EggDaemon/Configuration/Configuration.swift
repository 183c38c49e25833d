import Alarms
import EggProtocol
import EggTime
import Glibc
import LinuxIO

/// What eggd's arguments and environment say.
package struct Configuration: Hashable, Sendable {
  package var stateDirectory: String
  /// Where to listen, unless sockets were passed on by the service manager.
  package var socketPath: String
  /// The session's runtime directory; nil where there is none.
  package var runtimeDirectory: String?
  /// The path of config.toml; nil where the environment names no place for it.
  package var file: String?
  /// `--snooze`, if given. It wins over the file.
  package var snooze: TimeSpan?
  /// `--sound`, if given. It wins over the file.
  package var sound: AlarmSound?

  /// What `--snooze` takes: a second to a week.
  package static let snoozeBounds = TimeSpan.seconds(1)...TimeSpan.seconds(7 * 86_400)

  package enum Invocation: Hashable, Sendable {
    case run(Configuration)
    case help
    case version
  }

  /// Reads `arguments` (without the program's name).
  ///
  /// - Throws: ``ConfigurationError``, whose exit status is 64 for arguments and 78 for the environment.
  package static func read(
    arguments: [String], environment: [String: String], uid: uid_t = getuid()
  ) throws(ConfigurationError) -> Invocation {
    var snooze: TimeSpan?
    var sound: AlarmSound?
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let option = String(parts[0])
      switch (option, parts.count) {
      case ("-h", 1), ("--help", 1): return .help
      case ("--version", 1): return .version
      case ("--snooze", _), ("--sound", _):
        guard let value = parts.count > 1 ? String(parts[1]) : rest.popFirst() else {
          throw .missingValue(option)
        }
        if option == "--snooze" {
          snooze = try span(value, for: option)
        } else {
          sound = try self.sound(value)
        }
      default: throw .unknownArgument(argument)
      }
    }
    let directories = BaseDirectories { environment[$0] }
    guard let home = directories.state else { throw .noHome }
    let state = home + "/eggd"
    let runtime = directories.runtime(of: uid)
    let socket = (runtime.map { "\($0)/eggd" } ?? state) + "/eggd.sock"
    return .run(
      Configuration(
        stateDirectory: state, socketPath: socket, runtimeDirectory: runtime,
        file: ConfigurationFile.path(environment), snooze: snooze, sound: sound))
  }

  private static func span(_ text: String, for option: String) throws(ConfigurationError) -> TimeSpan {
    guard let span = readSpan(text), snoozeBounds.contains(span) else {
      throw .invalidValue(option: option, value: text)
    }
    return span
  }

  private static func sound(_ text: String) throws(ConfigurationError) -> AlarmSound {
    guard let sound = AlarmSound(text) else { throw .invalidSound(text) }
    return sound
  }

  static func readSpan(_ text: String) -> TimeSpan? {
    try? TimeExpression.span(text, in: ReadingContext(now: Instant(microseconds: 0), zone: .utc))
  }
}

extension Configuration {
  /// What config.toml and the command line say now, or why not. Reads a file.
  func readSettings() -> (settings: Settings?, mistake: ConfigurationMistake?) {
    do throws(ConfigurationMistake) {
      guard let file, let bytes = try ConfigurationFile.contents(file) else {
        return (settings(Settings()), nil)
      }
      return (settings(try SettingsReader.read(bytes, file: file)), nil)
    } catch {
      return (nil, error)
    }
  }

  /// The file's settings, where the command line names no others.
  package func settings(_ file: Settings) -> Settings {
    var settings = file
    if let snooze {
      settings.snooze = [.span(snooze)]
      settings.places[.snooze] = .commandLine
    }
    if let sound {
      settings.heard.usual = sound
      settings.places[.sound] = .commandLine
    }
    return settings
  }
}

/// Why a command line or an environment is refused.
package enum ConfigurationError: Error, Hashable, Sendable {
  case unknownArgument(String)
  case missingValue(String)
  case invalidValue(option: String, value: String)
  case invalidSound(String)
  /// Neither XDG_STATE_HOME nor HOME names a place for the database.
  case noHome

  /// 64 for a usage error, 78 for an environment that a restart can't mend.
  package var exitStatus: Int32 { self == .noHome ? 78 : 64 }
}

extension ConfigurationError: CustomStringConvertible {
  /// One line, lower case.
  package var description: String {
    switch self {
    case .unknownArgument(let argument): "unknown argument '\(argument)'"
    case .missingValue(let option): "'\(option)' needs a value"
    case .invalidValue(let option, let value): "'\(option)' takes a span from 1s to 7d, not '\(value)'"
    case .invalidSound(let value):
      "'--sound' takes a name of the sound theme, the absolute path of a file or 'none', not '\(value)'"
    case .noHome: "neither XDG_STATE_HOME nor HOME names a place for the schedule"
    }
  }
}

/// config.toml, which the person writes.
package enum ConfigurationFile {
  /// In bytes. It is read at each start, before the first ring.
  package static let largest = 65_536

  /// Where it is; nil where the environment names no place.
  package static func path(_ environment: [String: String]) -> String? {
    BaseDirectories { environment[$0] }.configuration.map { $0 + "/eggd/config.toml" }
  }

  /// Its bytes; nil where there is none. Obeys only what no other user can change.
  package static func contents(_ path: String) throws(ConfigurationMistake) -> [UInt8]? {
    let bytes: [UInt8]
    do throws(SafeFile.Failure) {
      bytes = try SafeFile.read(path, upTo: largest + 1)
    } catch {
      switch error {
      case .failed(ENOENT), .failed(ENOTDIR): return nil
      case .failed(let code):
        throw ConfigurationMistake(file: path, reason: "cannot be read: \(String(cString: strerror(code)))")
      case .notRegular, .notOurs: throw ConfigurationMistake(file: path, reason: "is not a regular file")
      }
    }
    guard bytes.count <= largest else {
      throw ConfigurationMistake(file: path, reason: "is larger than \(largest) bytes")
    }
    if let reason = FileSystem.exposure(of: path) {
      throw ConfigurationMistake(file: path, reason: reason)
    }
    return bytes
  }
}
