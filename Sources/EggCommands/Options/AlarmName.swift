import Alarms
import EggProtocol

/// One alarm, by its number or by its identity: one of them is nil.
struct AlarmName {
  let number: Int64?
  let id: AlarmID?

  /// Reads `12`, `#12` or a UUID.
  init(_ word: String) throws {
    let selection = try WireSelection.read([word]).selection
    number = selection.numbers.first
    id = selection.ids.first
    guard number != nil || id != nil else { throw Failure.noAlarm(word, takesRanges: false) }
  }
}
