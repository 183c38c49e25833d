import Glibc
import Testing

@testable import EggCommands

@Suite struct SocketPathTests {
  private func path(_ variables: [String: String], userID: uid_t = 4_000_000_001) throws -> String {
    var surroundings = Surroundings.process
    surroundings.variable = { variables[$0] }
    surroundings.userID = userID
    return try surroundings.socketPath()
  }

  @Test("The runtime directory comes first, then the state directory")
  func order() throws {
    #expect(try path(["XDG_RUNTIME_DIR": "/run/x", "HOME": "/home/egg"]) == "/run/x/eggd/eggd.sock")
    #expect(try path(["XDG_STATE_HOME": "/state", "HOME": "/home/egg"]) == "/state/eggd/eggd.sock")
    #expect(try path(["HOME": "/home/egg"]) == "/home/egg/.local/state/eggd/eggd.sock")
  }

  @Test("A relative directory counts as unset")
  func relative() throws {
    let variables = ["XDG_RUNTIME_DIR": "run", "XDG_STATE_HOME": "state", "HOME": "/home/egg"]
    #expect(try path(variables) == "/home/egg/.local/state/eggd/eggd.sock")
  }

  @Test("Without any directory it says what to set")
  func nothing() {
    let failure = Failure(
      .unavailable, "cannot tell where eggd listens: neither XDG_RUNTIME_DIR nor HOME is set",
      hint: "export XDG_RUNTIME_DIR=/run/user/4000000001")
    #expect(throws: failure) { try path([:]) }
  }

  @Test("A path too long for a socket address is named")
  func tooLong() {
    let directory = "/tmp/" + String(repeating: "egg", count: 40)
    let run = Run.run(["list"], variables: ["XDG_RUNTIME_DIR": directory])
    #expect(
      run
        == .failed(
          .unavailable,
          "eggctl: error: the path of eggd's socket is longer than 107 bytes: \(directory)/eggd/eggd.sock\n"
            + "eggctl: hint: set XDG_RUNTIME_DIR to a shorter path, also for eggd\n"))
  }
}
