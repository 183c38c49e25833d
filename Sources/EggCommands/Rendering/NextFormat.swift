import EggProtocol
import EggTime
import Gettext

/// The text of `next --format`, with placeholders in braces.
struct NextFormat {
  enum Placeholder: String, CaseIterable {
    case left, label, number, due, time, eggs, category, state, group
  }

  /// Each with the text before it.
  private var placeholders: [(text: String, placeholder: Placeholder)] = []
  /// The text after the last placeholder.
  private var ending = ""

  /// Reads `{left} {label}`; `{{` and `}}` are braces. Throws for an unknown or unclosed placeholder.
  init(_ text: String) throws {
    var rest = text[...]
    while let character = rest.popFirst() {
      if character == "{" || character == "}", rest.first == character {
        ending.append(character)
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
        placeholders.append((ending, placeholder))
        ending = ""
        rest = rest[rest.index(after: end)...]
      } else {
        ending.append(character)
      }
    }
  }

  /// Whether the text changes with time.
  var showsLeft: Bool { placeholders.contains { $0.placeholder == .left } }

  /// The text for an alarm; absent values are empty.
  func text(_ alarm: WireAlarm, _ moments: Moments) -> String {
    (placeholders.map { $0.text + value(of: $0.placeholder, alarm, moments) }.joined() + ending).visible
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
