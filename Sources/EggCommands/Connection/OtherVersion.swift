import EggProtocol
import Gettext
import Varlink

/// The failures if eggd and eggctl have different versions.
///
/// Later versions of the interface add methods, fields and errors, and change none: the side that lacks one
/// is older.
enum OtherVersion {
  /// The running eggd predates the upgrade: its interface lacks `what`.
  static func olderDaemon(lacks what: String) -> Failure {
    Failure(
      .protocolError, tr("the running eggd is older than this eggctl: it has no \(what.visible)"),
      hint: "systemctl --user restart eggd")
  }

  /// nil if the error does not come from a difference of the interfaces.
  static func failure(of error: RemoteError) -> Failure? {
    struct Missing: Decodable {
      var method: String?
      var interface: String?
    }
    let own = ScheduleInterface.name + "."
    if error.name.hasPrefix(own) {
      let name = error.name.dropFirst(own.count).visible
      return Failure(
        .protocolError, tr("the running eggd is newer than this eggctl: unknown error \(name)"),
        hint: tr("install the same version of eggctl; type -a eggctl lists all that are installed"))
    }
    let missing = error.parameters(as: Missing.self)
    switch error.name {
    case "org.varlink.service.MethodNotFound", "org.varlink.service.MethodNotImplemented":
      guard let method = missing?.method, method.hasPrefix(own) else { return nil }
      return olderDaemon(lacks: tr("method \(method.dropFirst(own.count))"))
    case "org.varlink.service.InterfaceNotFound":
      return Failure(
        .protocolError, tr("the server on eggd's socket is not eggd: it has no \(ScheduleInterface.name)"))
    default: return nil
    }
  }

  /// The failure for a refused parameter that eggd's interface lacks. Asks eggd for its interface, on a
  /// connection without open calls.
  static func failure(
    ofParameter name: String, of method: String, on client: VarlinkClient, timeout: Duration
  ) -> Failure? {
    struct Asked: Encodable { var interface: String }
    struct Described: Decodable { var description: String }
    guard
      let described: Described = try? client.call(
        "org.varlink.service.GetInterfaceDescription", Asked(interface: ScheduleInterface.name),
        timeout: timeout),
      let interface = try? InterfaceDescription(parsing: described.description),
      let field = name.split(separator: ".").first,
      let input = interface.methods[method]?.input, !input.contains(where: { $0.name == field })
    else { return nil }
    return olderDaemon(lacks: tr("'\(field)' in \(method)"))
  }
}
