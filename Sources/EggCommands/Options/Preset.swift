import Alarms
import EggProtocol
import EggTime

/// A timer of config.toml: its name stands for a time, and for options that are not given.
struct Preset {
  let name: String
  private var values: [String: String] = [:]

  var time: String { values["time"] ?? "" }
  var label: String { values["label"] ?? name }

  /// In the order of the file.
  static func all(in reply: ConfigReply) -> [Preset] {
    var presets: [Preset] = []
    for setting in reply.settings {
      let path = setting.key.split(separator: ".").map(String.init)
      guard path.first == "timers", (2...3).contains(path.count), let value = setting.value else { continue }
      if presets.last?.name != path[1] { presets.append(Preset(name: path[1])) }
      presets[presets.count - 1].values[path.count == 3 ? path[2] : "time"] = value
    }
    return presets
  }

  /// The options, with the timer's where none is given. Without a label the name is the label.
  func completing(_ options: AlarmOptions, isLabelled: Bool) -> AlarmOptions {
    var options = options
    if !isLabelled { options.label = options.label ?? label }
    options.sound = options.sound ?? values["sound"]
    options.category = options.category ?? values["category"].flatMap { Category(rawValue: $0) }
    options.insist = options.insist ?? values["insist"]
    options.run = options.run ?? values["run"]
    return options
  }
}

extension Surroundings {
  /// The timer of that name; nil also where eggd does not answer. Says so where config.toml may have it, but is not used.
  func preset(named name: String) -> Preset? {
    guard let client = try? Connection.client(self),
      let reply = try? client.call(ConfigCall(), timeout: Self.settingPatience)
    else { return nil }
    let preset = Preset.all(in: reply).first { $0.name == name }
    if preset == nil { try? warn(of: reply.mistake) }
    return preset
  }

  /// The time and the label, and the timer that the first word names if it is no time.
  func split(
    _ words: [String], as kind: Timing.Kind?, _ command: TypedCommand, in context: ReadingContext
  ) throws -> (ExpressionWords, Preset?) {
    func split(_ words: [String]) throws -> ExpressionWords {
      try ExpressionWords.split(words, command: command, as: kind, in: context)
    }
    do {
      return (try split(words), nil)
    } catch {
      guard let preset = preset(named: words[0]) else { throw error }
      return (try split([preset.time] + words.dropFirst()), preset)
    }
  }
}
