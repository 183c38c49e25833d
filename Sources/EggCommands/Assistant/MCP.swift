import ArgumentParser
import Gettext
import Glibc

struct MCP: Verb {
  static let configuration = CommandConfiguration(
    "mcp", tr("Serve an assistant (Model Context Protocol)."),
    discussion: """
      An assistant starts this command and talks with it over standard input and
      output. docs/assistants.md in the sources has the lines to configure it:

      eggctl mcp

      It can schedule, list, show, edit, delete, snooze and dismiss alarms, undo, and
      ask how a time is read. A time with two readings is refused with both. It gives
      no alarm a command, an icon or a sound. eggctl log names it, and eggctl undo
      takes back what it did.
      """)

  func run(in surroundings: Surroundings) throws {
    let session = AssistantSession(surroundings)
    _ = try ProgramLines.readLines(STDIN_FILENO, surroundings.reader) { line in
      if let answer = session.answer(to: line) { try surroundings.output.data(answer + "\n") }
    } _: {
      try surroundings.output.flush()
    }
  }
}
