import Alarms
import EggProtocol
import Gettext

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
        .usage, tr("'\(word.visible)' is not an alarm"),
        hint: tr("give a number (12), a label or a UUID; eggctl list shows the alarms"))
    }
  }

  /// nil if a UUID was given.
  var number: Int64? {
    guard case .number(let number) = self else { return nil }
    return number
  }

  /// nil if a number was given.
  var id: AlarmID? {
    guard case .id(let id) = self else { return nil }
    return id
  }
}
