import Alarms
import EggProtocol

extension DeclaredShape where Self: WireEnum {
  static var declaredShape: ShapeDecoder.Shape { .enumeration(allCases.map(\.rawValue)) }
  static var sample: String { allCases.first?.rawValue ?? "" }
}

extension Category: DeclaredShape {}
extension Timing.Kind: DeclaredShape {}
extension Alarm.Phase: DeclaredShape {}
extension ListOrder: DeclaredShape {}
extension IfMissed: DeclaredShape {}
extension ResolveReply.ExpressionClass: DeclaredShape {}

extension Open: DeclaredShape {
  static var declaredShape: ShapeDecoder.Shape { .enumeration(Value.allCases.map(\.rawValue)) }
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
