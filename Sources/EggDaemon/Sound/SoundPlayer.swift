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
  package enum Outcome: Hashable, Sendable {
    case played
    /// By ``stop()``, or because its time was over.
    case stopped
    /// Nothing was heard, for that reason.
    case failed(String)
  }

  package static let notInstalled = translatable("eggd-sound is not installed")
  package static let noLibrary = translatable("libcanberra0 is not installed")
  package static let noSound = translatable("neither the sound nor the sound theme is there")

  private struct Running {
    var process: pid_t
    /// Its standard output, which ends with it.
    var output: Int32
    var unplayable: @Sendable (String) -> Void
    var ended: (Outcome) -> Void
  }

  /// nil where it is not installed.
  private let program: String?
  private let environment: [String]
  private let queue = DispatchQueue(label: "sound")
  private var epoll: Epoll?
  /// By what it is: a check or a sound.
  private var running: [Purpose: Running] = [:]
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

  deinit {
    for one in running.values { epoll?.closeLater(one.output) }
  }

  /// Begins to play the first of these sounds that can be played; at its end `ended` is called on another queue. Call it
  /// only when the last sound has ended.
  ///
  /// - Parameters:
  ///   - lasting: How long it is repeated, in whole seconds; zero for once.
  ///   - fades: It begins at half volume.
  ///   - unplayable: Called likewise, with each sound before it.
  package func play(
    _ sounds: [AlarmSound], lasting: TimeSpan, fades: Bool,
    unplayable: @escaping @Sendable (String) -> Void, ended: @escaping @Sendable (Outcome) -> Void
  ) {
    let names = sounds.map(\.text).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
    let arguments = ["\(lasting.microseconds / 1_000_000)", fades ? "fade" : "full"] + names
    queue.async { [self] in start(.sound, arguments, unplayable, ended) }
  }

  /// Ends what plays, if anything does.
  package func stop() {
    queue.async { [self] in
      if let sound = running[.sound] { kill(sound.process, SIGTERM) }
    }
  }

  /// Why nothing could be played; nil where libcanberra and a sound server are there.
  package func check(_ answer: @escaping @Sendable (String?) -> Void) {
    queue.async { [self] in
      // What plays shows that it can be played.
      if running[.sound] != nil { return answer(nil) }
      asking.append(answer)
      guard asking.count == 1 else { return }
      start(.check, ["--check"], { _ in }) { [self] outcome in
        let answers = asking
        asking = []
        for answer in answers { answer(outcome.problem) }
      }
    }
  }

  private func start(
    _ purpose: Purpose, _ arguments: [String], _ unplayable: @escaping @Sendable (String) -> Void,
    _ ended: @escaping (Outcome) -> Void
  ) {
    dispatchPrecondition(condition: .onQueue(queue))
    guard running[purpose] == nil else { return ended(.stopped) }
    guard let program else { return ended(.failed(Self.notInstalled)) }
    // The libraries write to standard error what no person needs, and it would be eggd's journal.
    let child = ChildProcess([program] + arguments, environment: environment)
    guard let (process, output) = child.startWithOutput() else {
      return ended(.failed("eggd-sound cannot be run: \(String(cString: strerror(errno)))"))
    }
    running[purpose] = Running(process: process, output: output, unplayable: unplayable, ended: ended)
    if epoll == nil { epoll = try? Epoll(queue: queue) }
    epoll?.add(output) { [weak self] readiness in
      if readiness.contains(.readable) { self?.read(purpose) }
      if readiness.contains(.end) { self?.reap(purpose) }
    }
    // At the kernel's limit of watches: waits for the end, which only this queue has time for.
    if epoll?.watch(output, for: [.readable, .end]) != true { reap(purpose) }
  }

  /// Takes what it says of sounds that it cannot play. Each is one line, written at once.
  private func read(_ purpose: Purpose) {
    guard let one = running[purpose] else { return }
    var bytes = [UInt8](repeating: 0, count: 8_192)
    let count = Glibc.read(one.output, &bytes, bytes.count)
    guard count > 0 else { return }
    for line in bytes[..<count].split(separator: UInt8(ascii: "\n")) {
      one.unplayable(String(decoding: line, as: UTF8.self))
    }
  }

  private func reap(_ purpose: Purpose) {
    guard let ended = running.removeValue(forKey: purpose) else { return }
    epoll?.remove(ended.output)
    close(ended.output)
    ended.ended(Outcome(status: ChildProcess.reap(ended.process)))
  }
}

extension SoundPlayer.Outcome {
  /// Of a status of waitpid(2); eggd-sound's own are in `EggdSound.Status`.
  fileprivate init(status: Int32) {
    let signal = status & 0x7F
    switch (signal, (status >> 8) & 0xFF) {
    case (0, 0): self = .played
    case (SIGTERM, _), (SIGALRM, _): self = .stopped
    case (0, 66): self = .failed(SoundPlayer.noSound)
    case (0, 69): self = .failed(SoundPlayer.noLibrary)
    case (0, 75): self = .failed(translatable("no sound server takes sounds"))
    default: self = .failed(translatable("eggd-sound failed"))
    }
  }

  package var problem: String? {
    if case .failed(let reason) = self { reason } else { nil }
  }
}
