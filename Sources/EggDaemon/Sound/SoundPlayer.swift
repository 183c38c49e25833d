import EggTime
import Alarms
import Dispatch
import Glibc
import LinuxIO

/// Runs eggd-sound, one at a time. It has a queue of its own: to start a process takes a millisecond, which no ring may
/// wait for.
///
/// Sendable because `queue` guards every stored property that changes.
package final class SoundPlayer: @unchecked Sendable {
  package enum Outcome: Hashable, Sendable {
    case played
    /// By ``stop()``, or after its minute.
    case stopped
    /// Nothing was heard, for that reason.
    case failed(String)
  }

  package static let notInstalled = translatable("eggd-sound is not installed")
  package static let noLibrary = translatable("libcanberra0 is not installed")
  private static let check = "--check"

  private struct Running {
    var isCheck: Bool
    var process: pid_t
    /// Its standard output, which ends with it.
    var output: Int32
    var ended: @Sendable (Outcome) -> Void
  }

  /// nil where it is not installed.
  private let program: String?
  private let environment: [String]
  private let queue = DispatchQueue(label: "sound")
  private var epoll: Epoll?
  private var running: Running?
  /// Started when the check that runs is over.
  private var waiting: [(argument: String, ended: @Sendable (Outcome) -> Void)] = []

  /// - Parameters:
  ///   - program: eggd-sound; nil where there is none.
  ///   - environment: eggd's own. It tells where the sound server is.
  package init(program: String?, environment: [String: String]) {
    self.program = program
    self.environment = ProcessSettings.passedOn(environment)
  }

  deinit {
    if let running { epoll?.closeLater(running.output) }
  }

  /// eggd-sound beside this program, or in libexec beside its directory; nil where it is in neither.
  package static func installed() -> String? {
    guard let program = FileSystem.program else { return nil }
    let directory = program.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    let places = [directory, directory.dropLast() + ["libexec"]]
    return places.map { $0.joined(separator: "/") + "/eggd-sound" }.first { access($0, X_OK) == 0 }
  }

  /// Begins to play; at its end `ended` is called on another queue. Call it only when the last sound has ended.
  package func play(_ sound: AlarmSound, ended: @escaping @Sendable (Outcome) -> Void) {
    queue.async { [self] in start(sound.text, ended) }
  }

  /// Ends what plays, if anything does.
  package func stop() {
    queue.async { [self] in
      if let running, !running.isCheck { kill(running.process, SIGTERM) }
      let stopped = waiting.filter { $0.argument != Self.check }
      waiting.removeAll { $0.argument != Self.check }
      for sound in stopped { sound.ended(.stopped) }
    }
  }

  /// Why nothing could be played; nil where it is not known that it could not. A sound server is not asked.
  package func check(_ answer: @escaping @Sendable (String?) -> Void) {
    queue.async { [self] in
      // What plays shows that it can be played.
      if let running, !running.isCheck { return answer(nil) }
      start(Self.check) { answer($0.problem) }
    }
  }

  private func start(_ argument: String, _ ended: @escaping @Sendable (Outcome) -> Void) {
    dispatchPrecondition(condition: .onQueue(queue))
    if let running {
      guard running.isCheck else { return ended(.stopped) }
      waiting.append((argument, ended))
      return
    }
    guard let program else { return ended(.failed(Self.notInstalled)) }
    // The libraries write to standard error what no person needs, and it would be eggd's journal.
    let child = ChildProcess([program, argument], environment: environment)
    guard let (process, output) = child.startWithOutput() else {
      return ended(.failed("eggd-sound cannot be run: \(String(cString: strerror(errno)))"))
    }
    running = Running(
      isCheck: argument == Self.check, process: process, output: output, ended: ended)
    if epoll == nil { epoll = try? Epoll(queue: queue) }
    epoll?.add(output) { [weak self] readiness in
      if readiness.contains(.end) { self?.reap() }
    }
    // At the kernel's limit of watches: waits for the end, which only this queue has time for.
    if epoll?.watch(output, for: [.readable, .end]) != true { reap() }
  }

  private func reap() {
    guard let ended = running else { return }
    running = nil
    epoll?.remove(ended.output)
    close(ended.output)
    ended.ended(Outcome(status: ChildProcess.reap(ended.process)))
    let next = waiting
    waiting = []
    for (argument, ended) in next { start(argument, ended) }
  }
}

extension SoundPlayer.Outcome {
  /// Of a status of waitpid(2); eggd-sound's own are in `EggdSound.Status`.
  fileprivate init(status: Int32) {
    let signal = status & 0x7F
    switch (signal, (status >> 8) & 0xFF) {
    case (0, 0): self = .played
    case (SIGTERM, _), (SIGALRM, _): self = .stopped
    case (0, 66): self = .failed(translatable("neither the sound nor the sound theme is there"))
    case (0, 69): self = .failed(SoundPlayer.noLibrary)
    case (0, 75): self = .failed(translatable("no sound server takes sounds"))
    default: self = .failed(translatable("eggd-sound failed"))
    }
  }

  package var problem: String? {
    if case .failed(let reason) = self { reason } else { nil }
  }
}
