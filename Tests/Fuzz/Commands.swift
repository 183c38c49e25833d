import Alarms

/// The bytes are the text of a command, and a line of what became of one.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let text = String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  if let command = AlarmCommand(text) { check(command) }
  if let run = HookRun(line: text), let again = HookRun(line: run.line), again.line != run.line {
    fatalError("\(run.line) became \(again.line)")
  }
  return 0
}

/// Its own text reads as the same words: what is stored and shown is what runs.
private func check(_ command: AlarmCommand) {
  guard let program = command.words.first, !program.isEmpty else {
    fatalError("no program in \(command.words)")
  }
  guard let again = AlarmCommand(words: command.words) else { return }
  guard AlarmCommand(again.text)?.words == command.words else {
    fatalError("\(command.words) became \(AlarmCommand(again.text)?.words ?? [])")
  }
}
