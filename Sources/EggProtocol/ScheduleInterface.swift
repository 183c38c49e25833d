/// The interface `io.eggd.Schedule`: its name and its text.
public enum ScheduleInterface {
  /// The prefix of every method and error.
  public static let name = "io.eggd.Schedule"

  /// The interface file, as introspection returns it.
  public static let text = String(decoding: PackageResources.io_eggd_Schedule_varlink, as: UTF8.self)
}

public protocol ScheduleMethod: Codable, Equatable, Sendable {
  associatedtype Reply: Codable, Equatable, Sendable

  /// The method's name without the interface.
  static var method: String { get }
}

extension ScheduleMethod {
  /// The name with the interface, as calls carry it.
  public static var qualifiedName: String { ScheduleInterface.name + "." + method }
}
