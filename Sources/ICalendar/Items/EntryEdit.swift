import Alarms
import EggTime

/// Gives an entry that anybody may have made other values. Each field owns some lines; all others stay byte for byte.
struct EntryEdit {
  private(set) var entry: ComponentLines
  /// The same alarm, as an export writes it.
  private let source: ComponentLines
  private let fields: Set<CalendarContent.Field>
  /// Fields of the alarm that the entry does not get.
  private let unsaid: Set<CalendarContent.Field>

  init(
    _ entry: ComponentLines, _ fields: Set<CalendarContent.Field>, from source: ComponentLines,
    without unsaid: Set<CalendarContent.Field> = []
  ) {
    (self.entry, self.fields, self.source, self.unsaid) = (entry, fields, source, unsaid)
    let old = entry
    for name in ["DTSTAMP", "LAST-MODIFIED", "SEQUENCE"] {
      if let value = source[name]?.value { self.entry.set(name, value) }
    }
    editOwn()
    if fields.contains(.body) { editBody(of: old) }
    if fields.contains(.note) { self.entry.set("COMMENT", source["COMMENT"]?.value ?? "") }
    if fields.contains(.category) || fields.contains(.group) { editCategories() }
    if fields.contains(.done) { editDone() }
    let isTitle = fields.contains(.label) || fields.contains(.summary) && source["X-EGGD-UNLABELLED"] != nil
    if isTitle { editTitle(of: old) }
  }

  var recurs: Bool { ["RRULE", "RDATE", "X-EGGD-EVENT", "X-EGGD-INTERVAL"].contains { entry[$0] != nil } }

  private static func own(_ field: CalendarContent.Field) -> [String] {
    switch field {
    case .label: ["X-EGGD-UNLABELLED"]
    case .summary: ["X-EGGD-SUMMARY"]
    case .eggs: ["X-EGGD-EGGS"]
    case .done: ["X-EGGD-DONE"]
    case .time:
      ["X-EGGD-FROM", "X-EGGD-UNTIL", "X-EGGD-COUNT", "X-EGGD-SKIP", "X-EGGD-EXCEPT", "X-EGGD-ONLY-ON"]
    case .body, .note, .category, .group, .leads: []
    }
  }

  /// Where X-EGGD-EGGS stands, what the others would say and do not is deliberate. So all of them come together.
  private mutating func editOwn() {
    func lines(_ name: String) -> [ComponentLines.Line] {
      if name == "X-EGGD-DONE", entry.name == "VTODO", !recurs { return [] }
      return source.lines.filter { $0.name == name }
    }
    var names = fields.flatMap(Self.own)
    let isUsed = names.contains { entry[$0] != nil || !lines($0).isEmpty && $0 != "X-EGGD-EGGS" }
    if entry["X-EGGD-EGGS"] == nil, isUsed || fields.contains(.eggs) {
      names = CalendarContent.Field.allCases.filter { !unsaid.contains($0) }.flatMap(Self.own)
    }
    for name in names.sorted() { entry.put(name, lines(name)) }
  }

  /// The text of an entry with a title that is too long for a label begins with that title.
  private mutating func editBody(of old: ComponentLines) {
    var body = source["DESCRIPTION"].map { ContentText.unescaped($0.value) } ?? ""
    let title = ContentText.unescaped(old["SUMMARY"]?.value ?? "").asOneLine
    if !fields.contains(.label), title.count > Limits.labelCharacters || title.utf8.count > Limits.labelBytes,
      body.hasPrefix(title)
    {
      body = String(body.dropFirst(title.count)).asLines
    }
    entry.set("DESCRIPTION", body.isEmpty ? nil : ContentText.escaped(body))
  }

  private mutating func editTitle(of old: ComponentLines) {
    guard let title = source["SUMMARY"]?.value else { return }
    entry.set("SUMMARY", title)
    entry.editComponents { component in
      // An alarm that shows the title shows the new one.
      guard component.name == "VALARM", let shown = component["DESCRIPTION"]?.value,
        shown == old["SUMMARY"]?.value
      else { return component }
      var alarm = component
      alarm.set("DESCRIPTION", title)
      return alarm
    }
  }

  /// A to-do is ticked off, a series of them is not. The alarms of a done event are silent on other machines, too.
  private mutating func editDone() {
    let done = source["X-EGGD-DONE"]?.value
    if entry.name == "VTODO", !recurs {
      if done != nil || entry["STATUS"]?.value.uppercased() == "COMPLETED" {
        entry.set("STATUS", done.map { _ in "COMPLETED" })
      }
      entry.set("PERCENT-COMPLETE", done.map { _ in "100" })
      entry.set("COMPLETED", done)
    } else if !recurs {
      entry.editComponents { $0.name == "VALARM" ? $0.silenced(done != nil) : $0 }
    }
  }

  private mutating func editCategories() {
    var words = CategoryWords(entry)
    let target = CategoryWords(source)
    if fields.contains(.category) { words.category = target.category }
    let group = source["X-EGGD-GROUP"].map { ContentText.unescaped($0.value).asOneLine }
    if fields.contains(.group) {
      let old = entry["X-EGGD-GROUP"].map { ContentText.unescaped($0.value).asOneLine } ?? words.group
      words.replace(old, with: group)
    }
    words.write(to: &entry)
    guard fields.contains(.group) else { return }
    let isSaid = words.group == group
    if entry["X-EGGD-GROUP"] != nil || !isSaid {
      entry.set("X-EGGD-GROUP", group.map(ContentText.escaped) ?? (isSaid ? nil : ""))
    }
  }
}

extension ComponentLines {
  /// Whether other calendars show or sound it; also where ``silenced(_:)`` keeps them from it.
  var rings: Bool { alarm?.rings ?? false }

  /// nil for anything but a VALARM.
  var alarm: AlarmDraft? { name == "VALARM" ? AlarmDraft(self) : nil }

  /// A VALARM whose action others do not carry out, or one that has its own again.
  func silenced(_ isSilent: Bool) -> ComponentLines {
    guard rings, let action = self["ACTION"]?.property else { return self }
    let own = action.parameter(AlarmDraft.silent)
    guard isSilent != (own != nil) else { return self }
    var alarm = self
    let added = isSilent ? ";\(AlarmDraft.silent)=" + Property.quoted(action.value) : ""
    alarm.edit("ACTION") { $0.with(Array((own ?? "NONE").utf8), without: AlarmDraft.silent, adding: added) }
    return alarm
  }
}

/// The words of an entry's CATEGORIES, as they stand.
private struct CategoryWords {
  /// The words of each line.
  private var lines: [[[UInt8]]]

  init(_ entry: ComponentLines) {
    lines = entry.lines.filter { $0.name == "CATEGORIES" }.map { ContentText.words($0.valueBytes) }
  }

  private static func plain(_ word: [UInt8]) -> String {
    ContentText.unescaped(String(decoding: word, as: UTF8.self)).asOneLine
  }

  private static func category(_ word: [UInt8]) -> Category? { Category(rawValue: plain(word).lowercased()) }

  /// The first one that is one of eggd's.
  var category: Category {
    get { lines.joined().compactMap(Self.category).first ?? .other }
    set {
      let old = lines.joined().first { Self.category($0) != nil }
      if newValue == .other {
        remove { Self.category($0) != nil }
      } else {
        replace(newValue.rawValue) { $0 == old }
      }
    }
  }

  /// The first one that is none of eggd's.
  var group: String? {
    lines.joined().first { Self.category($0) == nil && !Self.plain($0).isEmpty }.map(Self.plain)
  }

  mutating func replace(_ old: String?, with new: String?) {
    if let new, Category(rawValue: new.lowercased()) == nil {
      replace(ContentText.escaped(new)) { Self.plain($0) == old }
    } else {
      remove { Self.plain($0) == old }
    }
  }

  private mutating func replace(_ text: String, where isOld: ([UInt8]) -> Bool) {
    let new = Array(text.utf8)
    for line in lines.indices {
      guard let place = lines[line].firstIndex(where: isOld) else { continue }
      lines[line][place] = new
      return
    }
    if lines.isEmpty { lines = [[]] }
    // Of very many, the first are read.
    if lines.joined().count < EntryDraft.mostCategories {
      lines[lines.endIndex - 1].append(new)
    } else {
      lines[0].insert(new, at: 0)
    }
  }

  private mutating func remove(where isOld: ([UInt8]) -> Bool) {
    for line in lines.indices { lines[line].removeAll(where: isOld) }
  }

  private static func value(_ words: [[UInt8]]) -> [UInt8] { Array(words.joined(separator: ",".utf8)) }

  func write(to entry: inout ComponentLines) {
    var rest = lines[...]
    entry.edit("CATEGORIES") { line in
      guard let words = rest.popFirst(), !words.isEmpty else { return nil }
      return line.with(Self.value(words))
    }
    for words in rest where !words.isEmpty {
      entry.add(ComponentLines.Line(Array("CATEGORIES:".utf8) + Self.value(words)))
    }
  }
}
