import EggTime
import Testing

@testable import EggDaemon

@Suite struct ConfigurationTests {
  private func run(_ arguments: [String], _ environment: [String: String]) throws -> Configuration? {
    let invocation = try Configuration.read(arguments: arguments, environment: environment, uid: 4_000_000)
    guard case .run(let configuration) = invocation else { return nil }
    return configuration
  }

  @Test("State and socket go where the XDG variables say")
  func xdg() throws {
    let configuration = try run(
      [], ["XDG_STATE_HOME": "/s", "XDG_RUNTIME_DIR": "/r", "HOME": "/h"])
    #expect(configuration?.stateDirectory == "/s/eggd")
    #expect(configuration?.socketPath == "/r/eggd/eggd.sock")
    #expect(configuration?.settings(Settings()).snooze == [.usual])
  }

  @Test("Without a runtime directory the socket lies in the state directory, never in /tmp")
  func noRuntimeDirectory() throws {
    let configuration = try run([], ["HOME": "/h"])
    #expect(configuration?.stateDirectory == "/h/.local/state/eggd")
    #expect(configuration?.socketPath == "/h/.local/state/eggd/eggd.sock")
  }

  @Test("A relative path is ignored")
  func relative() throws {
    let configuration = try run([], ["XDG_STATE_HOME": "s", "XDG_RUNTIME_DIR": "", "HOME": "/h"])
    #expect(configuration?.stateDirectory == "/h/.local/state/eggd")
  }

  @Test("A missing home is a configuration error")
  func noHome() {
    #expect(throws: ConfigurationError.noHome) { try run([], [:]) }
    #expect(ConfigurationError.noHome.exitStatus == 78)
  }

  @Test(
    "The snooze is a span from a second to a week", arguments: [["--snooze", "90s"], ["--snooze=1min 30s"]])
  func snooze(arguments: [String]) throws {
    #expect(try run(arguments, ["HOME": "/h"])?.snooze == .seconds(90))
  }

  @Test("The usual sound is a name, a file or none")
  func sound() throws {
    #expect(try run([], ["HOME": "/h"])?.settings(Settings()).heard.usual == .usual)
    #expect(try run(["--sound", "bell"], ["HOME": "/h"])?.sound == .named("bell"))
    #expect(try run(["--sound=/s/a.oga"], ["HOME": "/h"])?.sound == .file("/s/a.oga"))
    #expect(try run(["--sound", "none"], ["HOME": "/h"])?.sound == .silence)
    #expect(
      "\(ConfigurationError.invalidSound("a b"))"
        == "'--sound' takes a name of the sound theme, the absolute path of a file or 'none', not 'a b'")
  }

  @Test(
    "Invalid arguments are usage errors",
    arguments: [
      ["--snooze"], ["--snooze", "0s"], ["--snooze", "8d"], ["--snooze", "7:30"], ["-x"], ["now"],
      ["--sound"], ["--sound", "a b"], ["--sound=a.oga"],
    ])
  func usage(arguments: [String]) {
    do {
      _ = try run(arguments, ["HOME": "/h"])
      Issue.record("\(arguments) was taken")
    } catch {
      #expect((error as? ConfigurationError)?.exitStatus == 64)
    }
  }
}
