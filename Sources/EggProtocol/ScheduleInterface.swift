import Varlink

/// The interface `io.eggd.Schedule`: its name and the text that introspection answers with.
public enum ScheduleInterface {
  /// What stands before the last dot of every method and error.
  public static let name = "io.eggd.Schedule"

  /// The interface file, as shipped.
  public static let text = String(decoding: PackageResources.io_eggd_Schedule_varlink, as: UTF8.self)
}

/// The parameters of one method's call.
public protocol ScheduleMethod: Codable, Equatable, Sendable {
  /// The parameters of its reply.
  associatedtype Reply: Codable, Equatable, Sendable

  /// The method's name without the interface.
  static var method: String { get }

  /// Reads past the object of a reply in its usual form, sooner than the general decoder reads it; nil leaves that to it.
  static func reply(scanning json: inout JSONScanner) -> Reply?
}

extension ScheduleMethod {
  /// The method's name with the interface, as calls carry it.
  public static var qualifiedName: String { ScheduleInterface.name + "." + method }

  public static func reply(scanning json: inout JSONScanner) -> Reply? { nil }
}
