import EggProtocol
import EggTime
import Gettext

/// The text of `next --format`, with placeholders in braces.
struct NextFormat {
  enum Placeholder: String, CaseIterable {
    case left, label, number, due, time, eggs, category, state, group
  }

  private enum Part {
    case text(String)
    case placeholder(Placeholder)
  }

  private var parts: [Part] = []

  /// Reads `{left} {label}`; `{{` and `}}` are braces. Throws for an unknown or unclosed placeholder.
  init(_ text: String) throws {
    var rest = text[...]
    var words = ""
    while let character = rest.popFirst() {
      if character == "{" || character == "}", rest.first == character {
        words.append(character)
        rest.removeFirst()
      } else if character == "{" {
        guard let end = rest.firstIndex(of: "}") else {
          throw Failure(.usage, tr("'{\(rest.visible)' is not closed"), hint: tr("'{{' is a brace"))
        }
        guard let placeholder = Placeholder(rawValue: String(rest[..<end])) else {
          throw Failure(
            .usage, tr("there is no placeholder '{\(rest[..<end].visible)}'"),
            hint: Placeholder.allCases.map { "{\($0.rawValue)}" }.joined(separator: " "))
        }
        parts += [.text(words), .placeholder(placeholder)]
        words = ""
        rest = rest[rest.index(after: end)...]
      } else {
        words.append(character)
      }
    }
    parts.append(.text(words))
  }

  /// Whether the text changes with time.
  var showsLeft: Bool {
    parts.contains { if case .placeholder(.left) = $0 { true } else { false } }
  }

  /// The text for an alarm; absent values are empty.
  func text(_ alarm: WireAlarm, _ moments: Moments) -> String {
    parts.map { part in
      switch part {
      case .text(let text): text
      case .placeholder(let placeholder): value(of: placeholder, alarm, moments)
      }
    }.joined().visible
  }

  private func value(of placeholder: Placeholder, _ alarm: WireAlarm, _ moments: Moments) -> String {
    switch placeholder {
    case .left: alarm.due.map { SpanText.left($0 - moments.now) } ?? ""
    case .label: alarm.label ?? ""
    case .number: "\(alarm.number)"
    case .due: alarm.due.map(moments.text) ?? ""
    case .time: alarm.due.map(moments.time) ?? ""
    case .eggs: "\(alarm.eggs)"
    case .category: alarm.category.rawValue
    case .state: alarm.state.rawValue
    case .group: alarm.group ?? ""
    }
  }
}
