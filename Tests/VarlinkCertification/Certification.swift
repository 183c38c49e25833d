import LinuxIO
import Dispatch
import Glibc
import Varlink

/// `VarlinkCertification server PATH` serves org.varlink.certification until it is killed;
/// `VarlinkCertification client PATH` goes through it once and exits with 0 if all went as it should.
@main
enum Certification {
  static func main() throws {
    let arguments = CommandLine.arguments
    switch (arguments.count, arguments.dropFirst().first) {
    case (3, "server"): try serve(arguments[2])
    case (3, "client"): try CertificationClient(client: VarlinkClient(path: arguments[2])).run()
    default: exit(64)
    }
  }

  private static func serve(_ path: String) throws {
    let text = String(decoding: PackageResources.org_varlink_certification_varlink, as: UTF8.self)
    let certification = CertificationServer()
    let interface = try VarlinkInterface(text: text) { certification.handle($0) }
    let identity = ServiceIdentity(vendor: "eggd", product: "certification", version: "1", url: "")
    let server = try VarlinkServer(
      queue: DispatchQueue(label: "wire"), service: identity, interfaces: [interface])
    server.listen(on: try UnixSocket.listen(path: path))
    withExtendedLifetime(server) { dispatchMain() }
  }
}
