import Glibc
import Testing

@testable import EggCommands

@Suite struct WatchLinesTests {
  private static func message(_ part: String, _ members: String = "") -> String {
    "{\"parameters\":{\"part\":\"\(part)\",\"sequence\":1\(members)},\"continues\":true}"
  }

  /// Runs watch without a screen until its reader goes after this many writes.
  private func watch(
    _ messages: [String], writes: Int, words: [String] = [], terminal: Output.Channel? = nil
  ) throws -> Run {
    let daemon = try ScriptedDaemon([.messages(messages)])
    defer { daemon.end() }
    let written = Written()
    let output = Output(colours: (false, false), terminal: terminal) { channel, text in
      switch channel {
      case .data: written.data += text
      case .messages: written.messages += text
      }
      written.count += 1
      if written.count == writes { throw Failure.unwritable(EPIPE) }
    }
    let status = Eggctl.run(["watch"] + words, in: .test(output: output, directory: daemon.directory))
    return Run(status: status, output: written.data, messages: written.messages)
  }

  private final class Written {
    var data = ""
    var messages = ""
    var count = 0
  }

  @Test("Without a screen the list and every change are printed as lines at once")
  func lines() throws {
    let old = Watching.alarm(12, "two soft ones", left: 390)
    let ringing = Watching.alarm(12, "two soft ones", state: .ringing)
    let run = try watch(
      [
        Self.message("page", ",\"alarms\":[\(old)]"), Self.message("ready"),
        Self.message("change", ",\"new\":\(Watching.alarm(13, "\\u001b[2J", left: 5))"),
        Self.message("change", ",\"old\":\(old),\"new\":\(ringing)"),
        Self.message("change", ",\"old\":\(ringing)"),
        Self.message("startOver"), Self.message("page", ",\"alarms\":[\(old)]"), Self.message("ready"),
      ], writes: 6)
    #expect(
      run.output == """
        #12  2026. 11. 20. 21:41:00  in 6 min 30 s   two soft ones
        created  #13  2026. 11. 20. 21:34:35  in 5 s   \\u{1b}[2J
        rings    #12  2026. 11. 20. 21:34:30  ringing   two soft ones
        deleted  #12  2026. 11. 20. 21:34:30  ringing   two soft ones
        #12  2026. 11. 20. 21:41:00  in 6 min 30 s   two soft ones

        """)
    #expect(
      run.messages == """
        eggctl: hint: any alarm may have changed; all alarms follow

        """)
    #expect(run.status == .success)
  }

  @Test("The terminal's bell rings once when an alarm begins to ring, but not with --no-bell")
  func bell() throws {
    let old = Watching.alarm(12, left: 390)
    let ringing = Watching.alarm(12, state: .ringing)
    let messages = [
      Self.message("page", ",\"alarms\":[\(ringing)]"), Self.message("ready"),
      Self.message("change", ",\"old\":\(old),\"new\":\(ringing)"),
      Self.message("change", ",\"old\":\(ringing),\"new\":\(ringing)"),
      Self.message("change", ",\"old\":\(ringing)"),
    ]
    #expect(try watch(messages, writes: 4, terminal: .messages).messages == "\u{7}")
    #expect(try watch(messages, writes: 3, words: ["--no-bell"], terminal: .messages).messages.isEmpty)
  }

  @Test("Each ring of a recurring alarm is one line and one bell; a ring that an undo brings back is none")
  func recurring() throws {
    func alarm(_ state: String, _ latest: String) -> String {
      """
      {"number":12,"state":"\(state)","done":false,"category":"other","eggs":1,"kind":"every",\
      "latest":{"dueAt":1795210200000000,"outcome":"rung",\(latest)}}
      """
    }
    let first = alarm("ringing", "\"id\":1,\"firedAt\":1795210200000000")
    let second = alarm("ringing", "\"id\":2,\"firedAt\":1795210260000000")
    let shown = alarm(
      "ringing",
      "\"id\":2,\"firedAt\":1795210260000000,\"journaledAt\":1795210260000001,\"shownAt\":1795210260000002")
    let dismissed = alarm(
      "scheduled", "\"id\":2,\"firedAt\":1795210260000000,\"dismissedAt\":1795210270000000")
    func change(_ old: String, _ new: String) -> String {
      Self.message("change", ",\"old\":\(old),\"new\":\(new)")
    }
    let run = try watch(
      [
        Self.message("ready"), change(first, second), change(second, shown), change(shown, dismissed),
        change(dismissed, second), Self.message("change", ",\"old\":\(second)"),
      ], writes: 5, terminal: .messages)
    #expect(
      run.output == """
        rings    #12  2026. 11. 20. 21:30:00  ringing
        changed  #12  2026. 11. 20. 21:30:00  scheduled
        changed  #12  2026. 11. 20. 21:30:00  ringing
        deleted  #12  2026. 11. 20. 21:30:00  ringing

        """)
    #expect(run.messages == "\u{7}")
  }

  @Test("If eggd is not running at the beginning, watch fails like every verb")
  func alone() {
    #expect(Run.alone("watch") == .unreachable)
  }
}
