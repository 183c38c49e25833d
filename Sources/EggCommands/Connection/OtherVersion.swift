import EggProtocol
import Varlink

/// What is said where eggd and this eggctl are of different versions, and one does not know what the other says.
///
/// Later versions of the interface add methods, fields and errors and change none: who lacks one is the older.
enum OtherVersion {
  /// The running eggd predates the upgrade: its interface lacks `what`.
  static func olderDaemon(lacks what: String) -> Failure {
    Failure(
      .protocolError, "the running eggd is older than this eggctl: it has no \(what.visible)",
      hint: "systemctl --user restart eggd")
  }

  /// An error of the interface that this eggctl does not know.
  static func newerDaemon(error: String) -> Failure {
    Failure(
      .protocolError,
      "the running eggd is newer than this eggctl, which does not know its error \(error.visible)",
      hint: "install the eggctl of that eggd; type -a eggctl shows whether there are two")
  }

  /// nil where the error is none of an interface that differs.
  static func failure(of error: RemoteError) -> Failure? {
    struct Missing: Decodable {
      var method: String?
      var interface: String?
    }
    let own = ScheduleInterface.name + "."
    if error.name.hasPrefix(own) { return newerDaemon(error: String(error.name.dropFirst(own.count))) }
    let missing = error.parameters(as: Missing.self)
    switch error.name {
    case "org.varlink.service.MethodNotFound", "org.varlink.service.MethodNotImplemented":
      guard let method = missing?.method, method.hasPrefix(own) else { return nil }
      return olderDaemon(lacks: "method " + method.dropFirst(own.count))
    case "org.varlink.service.InterfaceNotFound":
      return Failure(
        .protocolError, "what listens on eggd's socket is not eggd: it has no \(ScheduleInterface.name)")
    default: return nil
    }
  }

  /// The failure of a call with a parameter that eggd refused, where its interface has no such parameter; asks it for
  /// that, on a connection with no other call under way.
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
    return olderDaemon(lacks: "'\(field)' in \(method)")
  }
}
