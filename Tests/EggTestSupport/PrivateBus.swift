import Foundation
import Glibc

/// A message bus of a test's own: a real dbus-daemon that knows no service but those of `services`.
package final class PrivateBus {
  /// Holds the socket `bus`, as XDG_RUNTIME_DIR does; its own for each test.
  package let directory: URL
  private var daemon: Process?

  /// Makes the directory; the bus is not started yet.
  package init() throws {
    directory = FileManager.default.temporaryDirectory.appending(path: "egg-bus-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: services, withIntermediateDirectories: true)
    try """
    <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
     "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
    <busconfig>
      <type>session</type>
      <listen>unix:path=\(directory.path)/bus</listen>
      <servicedir>\(services.path)</servicedir>
      <policy context="default">
        <allow send_destination="*" eavesdrop="true"/>
        <allow eavesdrop="true"/>
        <allow own="*"/>
      </policy>
    </busconfig>
    """.write(to: configuration, atomically: true, encoding: .utf8)
  }

  deinit {
    stop()
    try? FileManager.default.removeItem(at: directory)
  }

  /// What a process that is to find this bus has in its environment.
  package var environment: [String: String] { ["XDG_RUNTIME_DIR": directory.path] }

  /// D-Bus server address.
  package var address: String { "unix:path=\(directory.path)/bus" }

  private var services: URL { directory.appending(path: "services") }
  private var configuration: URL { directory.appending(path: "bus.conf") }

  /// Returns when it listens.
  package func start() throws {
    let daemon = Process()
    let output = Pipe()
    daemon.executableURL = URL(filePath: "/usr/bin/dbus-daemon")
    daemon.arguments = ["--config-file=\(configuration.path)", "--nofork", "--print-address=1"]
    daemon.standardOutput = output
    daemon.standardError = FileHandle.nullDevice
    try daemon.run()
    self.daemon = daemon
    // The address comes when the socket listens.
    guard try output.fileHandleForReading.read(upToCount: 1) != nil else {
      throw CocoaError(.fileReadUnknown)
    }
  }

  /// Ends it as a crash does: the connections break, the socket stays behind.
  package func stop() {
    guard let daemon else { return }
    kill(daemon.processIdentifier, SIGKILL)
    daemon.waitUntilExit()
    self.daemon = nil
  }

  /// Has `command` started when somebody sends a call to `name` that may start it. Before ``start()``.
  package func activate(_ name: String, by command: String) throws {
    try "[D-BUS Service]\nName=\(name)\nExec=\(command)\n".write(
      to: services.appending(path: "\(name).service"), atomically: true, encoding: .utf8)
  }
}
