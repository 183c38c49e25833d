import Alarms
import Dispatch
import EggTime
import Glibc
import LinuxIO

/// Runs eggd-sound: one that plays, and one that checks. It has a queue of its own: to start a process takes a millisecond,
/// which no ring may wait for.
///
/// Sendable because `queue` guards every stored property that changes.
package final class SoundPlayer: @unchecked Sendable {
  package static let notInstalled = translatable("eggd-sound is not installed")
  package static let noLibrary = translatable("libcanberra0 is not installed")
  package static let noSound = translatable("neither the sound nor the sound theme is there")

  /// nil where it is not installed.
  private let program: String?
  private let environment: [String]
  private let queue = DispatchQueue(label: "sound")
  /// By what it is: a check or a sound.
  private var running: [Purpose: pid_t] = [:]
  /// Who waits for the check that runs.
  private var asking: [@Sendable (String?) -> Void] = []

  private enum Purpose { case sound, check }

  /// - Parameters:
  ///   - program: eggd-sound; nil where there is none.
  ///   - environment: eggd's own. It tells where the sound server is.
  package init(program: String?, environment: [String: String]) {
    self.program = program
    self.environment = ProcessSettings.passedOn(environment)
  }

  /// Begins to play the first of these sounds that can be played. At its end `ended` is called on another queue, with the
  /// reason if nothing was heard. Call it only when the last sound has ended.
  ///
  /// - Parameters:
  ///   - lasting: How long it is repeated, in whole seconds; zero for once.
  ///   - fades: It begins at half volume.
  ///   - unplayable: Called likewise, with each sound before it.
  package func play(
    _ sounds: [AlarmSound], lasting: TimeSpan, fades: Bool,
    unplayable: @escaping @Sendable (String) -> Void, ended: @escaping @Sendable (String?) -> Void
  ) {
    let names = sounds.map(\.text).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
    let arguments = ["\(lasting.microseconds / 1_000_000)", fades ? "fade" : "full"] + names
    queue.async { [self] in start(.sound, arguments, unplayable, ended) }
  }

  package func stop() {
    queue.async { [self] in
      if let sound = running[.sound] { kill(sound, SIGTERM) }
    }
  }

  /// Why nothing could be played; nil where libcanberra and a sound server are there.
  package func check(_ answer: @escaping @Sendable (String?) -> Void) {
    queue.async { [self] in
      // What plays shows that it can be played.
      if running[.sound] != nil { return answer(nil) }
      asking.append(answer)
      guard asking.count == 1 else { return }
      start(.check, ["--check"], { _ in }) { [self] problem in
        let answers = asking
        asking = []
        for answer in answers { answer(problem) }
      }
    }
  }

  private func start(
    _ purpose: Purpose, _ arguments: [String], _ unplayable: @escaping @Sendable (String) -> Void,
    _ ended: @escaping @Sendable (String?) -> Void
  ) {
    dispatchPrecondition(condition: .onQueue(queue))
    guard running[purpose] == nil else { return ended(nil) }
    guard let program else { return ended(Self.notInstalled) }
    // The libraries write to standard error what no person needs, and it would be eggd's journal.
    let child = ChildProcess([program] + arguments, environment: environment)
    guard let (process, output) = child.startWithOutput() else {
      return ended("eggd-sound cannot be run: \(String(cString: strerror(errno)))")
    }
    running[purpose] = process
    // A thread for each: only two run at once.
    DispatchQueue(label: "sound output").async { [queue] in
      Self.read(output, unplayable)
      queue.async { [self] in
        running[purpose] = nil
        ended(Self.problem(status: ChildProcess.reap(process)))
      }
    }
  }

  /// Takes what it says of sounds that it cannot play, until its end. Each is one line, written at once.
  private static func read(_ output: Int32, _ unplayable: (String) -> Void) {
    defer { close(output) }
    var bytes = [UInt8](repeating: 0, count: 8_192)
    while case let count = Glibc.read(output, &bytes, bytes.count), count > 0 || count < 0 && errno == EINTR {
      for line in bytes[..<max(count, 0)].split(separator: UInt8(ascii: "\n")) {
        unplayable(String(decoding: line, as: UTF8.self))
      }
    }
  }

  /// Why nothing was heard, of a status of waitpid(2); eggd-sound's own are in `EggdSound.Status`.
  private static func problem(status: Int32) -> String? {
    switch (status & 0x7F, (status >> 8) & 0xFF) {
    // By ``stop()``, or because its time was over.
    case (0, 0), (SIGTERM, _), (SIGALRM, _): nil
    case (0, 66): noSound
    case (0, 69): noLibrary
    case (0, 75): translatable("no sound server takes sounds")
    default: translatable("eggd-sound failed")
    }
  }
}
