import Alarms
import EggProtocol
import EggTime

extension DeclaredShape where Self: WireEnum {
  static var declaredShape: ShapeDecoder.Shape { .enumeration(openValues) }
  static var sample: String { allCases.first?.rawValue ?? "" }
}

extension WireEnum {
  /// The interface declares `other` even where this version has no such value.
  fileprivate static var openValues: [String] {
    let values = allCases.map(\.rawValue)
    return values.contains("other") ? values : values + ["other"]
  }
}

extension Category: DeclaredShape {}
extension Timing.Kind: DeclaredShape {}
extension Alarm.Phase: DeclaredShape {}
extension ListOrder: DeclaredShape {}
extension Group.Color: DeclaredShape {}
extension GroupAlarms: DeclaredShape {}
extension ListPlace: DeclaredShape {}
extension IfMissed: DeclaredShape {}
extension ResolveReply.ExpressionClass: DeclaredShape {}
extension Occurrence.Outcome: DeclaredShape {}
extension LateReason: DeclaredShape {}
extension ChangeKind: DeclaredShape {}
extension WireHookRun.Result: DeclaredShape {}
extension SubscribePart: DeclaredShape {}
extension DesktopState: DeclaredShape {}
extension SoundState: DeclaredShape {}
extension WakeState: DeclaredShape {}
extension DiskState: DeclaredShape {}
extension SettingSource: DeclaredShape {}

extension OpenOptional: DeclaredShape {
  static var declaredShape: ShapeDecoder.Shape { .enumeration(Value.openValues) }
  static var sample: String { Value.allCases.first?.rawValue ?? "" }
}

extension AlarmID: DeclaredShape {
  static var declaredShape: ShapeDecoder.Shape { .string }
  static var sample: String { "00000000-0000-4000-8000-000000000000" }
}

extension WireAlarm.Field: DeclaredShape {
  static var declaredShape: ShapeDecoder.Shape { .string }
  static var sample: String { "due" }
}

extension CivilDateTime: DeclaredShape {
  static var declaredShape: ShapeDecoder.Shape { .string }
  static var sample: String { "2026-12-24 18:00:00" }
}

extension CivilDate: DeclaredShape {
  static var declaredShape: ShapeDecoder.Shape { .string }
  static var sample: String { "2024-02-29" }
}

extension Lead: DeclaredShape {
  static var declaredShape: ShapeDecoder.Shape { .string }
  static var sample: String { "1d 2h" }
}

extension DayRange: DeclaredShape {
  static var declaredShape: ShapeDecoder.Shape { .string }
  static var sample: String { "2026-12-24..2027-01-01" }
}
