import Alarms
import EggProtocol

/// One alarm as people name it, where exactly one is meant.
enum AlarmName {
  case number(Int64)
  case id(AlarmID)

  /// Reads `12`, `#12` or a UUID.
  init(_ word: String) throws {
    let selection = try WireSelection.read([word]).selection
    if let number = selection.numbers.first {
      self = .number(number)
    } else if let id = selection.ids.first {
      self = .id(id)
    } else {
      throw Failure(
        .usage, "'\(word.visible)' names no alarm",
        hint: "an alarm is named by its number (12) or UUID; eggctl list shows them")
    }
  }

  /// The number; nil where the UUID was given.
  var number: Int64? {
    guard case .number(let number) = self else { return nil }
    return number
  }

  /// The UUID; nil where the number was given.
  var id: AlarmID? {
    guard case .id(let id) = self else { return nil }
    return id
  }
}
