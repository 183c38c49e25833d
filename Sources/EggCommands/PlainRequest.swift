import Alarms
import CLinux
import EggProtocol

/// What is asked for by a command line of the usual form, read without ArgumentParser: that describes all verbs and
/// options to itself first, and takes longer for it than all else that is done for such a line.
///
/// What is read here, ArgumentParser reads to an equal request. All other words are left to it: mistakes, calls for
/// help, `--name=value`, values that begin with a hyphen, options that are given twice.
enum PlainRequest: Equatable {
  case schedule(ScheduleRequest)
  case hungry(AnswerForm)
  case list(ListRequest)

  /// nil where ArgumentParser has to read the words.
  init?(_ words: [String]) {
    let rest = words.dropFirst()
    let request: PlainRequest? =
      switch words.first {
      case "schedule": Self.schedule(rest).map { .schedule($0) }
      case "hungry":
        PlainWords(rest, flags: []).flatMap { $0.texts.isEmpty ? $0.form : nil }.map { .hungry($0) }
      case "list", nil: Self.list(rest).map { .list($0) }
      default: nil
      }
    guard let request else { return nil }
    self = request
  }

  /// Does it.
  func run(in surroundings: Surroundings) throws {
    // Soon over: memory that is given back would only be taken again, page by page.
    mallopt(M_TRIM_THRESHOLD, .max)
    mallopt(M_MMAP_THRESHOLD, 32 << 20)
    let surroundings = surroundings.readingZoneOnce()
    switch self {
    case .schedule(let request): try request.run(in: surroundings)
    case .hungry(let form): try Hungry.run(form, in: surroundings)
    case .list(let request): try request.run(in: surroundings)
    }
  }

  private static func schedule(_ words: ArraySlice<String>) -> ScheduleRequest? {
    let options = [
      "--label", "--eggs", "--category", "--group", "--title", "--body", "--from", "--until", "--count",
      "--if-missed",
      "--key",
    ]
    let kinds: [(flag: String, kind: Timing.Kind)] = [("--in", .in), ("--at", .at), ("--every", .every)]
    guard let words = PlainWords(words, options: options, flags: kinds.map(\.flag)), !words.texts.isEmpty,
      let form = words.form, let eggs = words.value("--eggs", { Int64($0) }),
      let count = words.value("--count", { Int64($0) }),
      let category = words.value("--category", { Category(rawValue: $0) })
    else { return nil }
    let forced = kinds.filter { words.has($0.flag) }
    guard forced.count <= 1 else { return nil }
    return ScheduleRequest(
      words: words.texts,
      alarm: AlarmValues(
        label: words["--label"], eggs: eggs, category: category, group: words["--group"],
        title: words["--title"], body: words["--body"]),
      kind: forced.first?.kind,
      timing: TimingValues(
        from: words["--from"], until: words["--until"], count: count, ifMissed: words["--if-missed"]),
      key: words["--key"], form: form)
  }

  private static func list(_ words: ArraySlice<String>) -> ListRequest? {
    let options = [
      "--sort", "--category", "--group", "--state", "--label", "--due-before", "--due-from",
    ]
    let flags = ["--today", "--rung", "--done", "--undone"]
    guard let words = PlainWords(words, options: options, flags: flags), words.texts.isEmpty,
      let form = words.form, let sort = words.value("--sort", { ListOrder(rawValue: $0) }),
      let category = words.value("--category", { Category(rawValue: $0) }),
      let state = words.value("--state", { Alarm.Phase(rawValue: $0) })
    else { return nil }
    return ListRequest(
      sort: sort ?? .position,
      wanted: ListFilters(
        category: category.map { [$0] } ?? [], group: words["--group"], state: state.map { [$0] } ?? [],
        label: words["--label"], dueBefore: words["--due-before"], dueFrom: words["--due-from"],
        today: words.has("--today"), rung: words.has("--rung"), done: words.has("--done"),
        undone: words.has("--undone")),
      form: form)
  }
}

/// Words told apart. Without sets and dictionaries: what Swift looks up when they are first used takes longer than
/// these few words.
private struct PlainWords {
  private(set) var texts: [String] = []
  private var values: [(name: String, text: String)] = []
  private var flags: [String] = []

  /// nil where a word is neither text nor one of these and of those for the answer's form.
  init?(_ words: ArraySlice<String>, options: [String] = [], flags known: [String]) {
    var words = words
    while let word = words.popFirst() {
      if word.isPlainText {
        texts.append(word)
      } else if known.contains(word) || ["--json", "-q", "--quiet"].contains(word) {
        guard !has(word) else { return nil }
        flags.append(word)
      } else {
        guard options.contains(word), self[word] == nil, let text = words.popFirst(), text.isPlainText
        else { return nil }
        values.append((word, text))
      }
    }
  }

  subscript(option: String) -> String? { values.first { $0.name == option }?.text }

  func has(_ flag: String) -> Bool { flags.contains(flag) }

  /// The value of an option, nil inside where it was not given; nil where it is none that the option takes.
  func value<Value>(_ option: String, _ read: (String) -> Value?) -> Value?? {
    guard let text = self[option] else { return .some(nil) }
    return read(text).map { .some($0) }
  }

  /// nil where the flags exclude each other.
  var form: AnswerForm? {
    switch (has("--json"), has("-q") || has("--quiet")) {
    case (false, false): .text
    case (true, false): .json
    case (false, true): .numbers
    case (true, true): nil
    }
  }
}

extension String {
  /// Neither an option nor empty.
  fileprivate var isPlainText: Bool { utf8.first.map { $0 != UInt8(ascii: "-") } ?? false }
}
