import Alarms
import DBus
import Dispatch
import Ringing

/// Runs commands when alarms ring, and when nobody answers: the alarm's own, and the programs of a folder. No ring waits
/// for it: it has a queue of its own, and hears of a ring when bubble and entry are on their way.
///
/// Sendable because `queue` guards every stored property that changes.
package final class HookRunner: @unchecked Sendable {
  /// How many run at once, and how many more may wait for their turn.
  static let (atOnce, mostWaiting) = (8, 256)
  /// How long a hook waits for its alarm's JSON, in seconds. A disk may stand still.
  private static let readPatience = 2

  private let queue = DispatchQueue(label: "hooks")
  private let environment: [String: String]
  private let units: TransientUnits
  private let processes: HookProcesses
  private let alarm: @Sendable (Int64, @escaping @Sendable ([UInt8]) -> Void) -> Void
  private let ended: @Sendable ([HookEnd]) -> Void
  /// Whether eggd's own children are in its sandbox.
  private let isConfined: Bool
  private var running = 0
  private var waiting: [(hook: Hook, begun: () -> Void)] = []

  /// - Parameters:
  ///   - environment: eggd's own. It tells where the bus and the folders are.
  ///   - limit: How long a child of eggd may run, in milliseconds. A service manager has ``Hook/patience``.
  ///   - alarm: Reads an alarm as JSON; empty where it is gone.
  ///   - ended: Called on a queue of this runner's own.
  package init(
    environment: [String: String], limit: Int32 = Int32(Hook.patience) * 1_000,
    alarm: @escaping @Sendable (Int64, @escaping @Sendable ([UInt8]) -> Void) -> Void,
    ended: @escaping @Sendable ([HookEnd]) -> Void
  ) {
    self.environment = environment
    units = TransientUnits(address: SessionBus.address(in: environment), queue: queue)
    processes = HookProcesses(environment: environment, limit: limit, queue: queue)
    isConfined = environment["EGGD_SANDBOX"] != nil
    self.alarm = alarm
    self.ended = ended
  }

  /// These ring now, or were not answered. Any thread.
  ///
  /// - Parameter begun: Called on a queue of this runner's own when all commands have begun, or will not.
  func run(_ occasion: HookOccasion, _ notices: [Notice], begun: @escaping @Sendable () -> Void = {}) {
    queue.async { [self] in
      let programs = occasion.programs(environment)
      var refused: [HookEnd] = []
      let all = DispatchGroup()
      for notice in notices {
        var hooks = programs.map { (Hook(notice, occasion, name: $0.path, words: [$0.path]), $0.exposure) }
        if let own = occasion.command(of: notice.card) {
          hooks.insert((Hook(notice, occasion, name: own.text, words: own.words), nil), at: 0)
        }
        for (hook, exposure) in hooks {
          let reason = exposure ?? (waiting.count < Self.mostWaiting ? nil : "too many commands are waiting")
          if let reason {
            refused.append(HookEnd(hook, .notStarted(reason)))
          } else {
            all.enter()
            let begun = Once<Void> { all.leave() }
            waiting.append((hook, { begun(()) }))
          }
        }
      }
      all.notify(queue: queue, execute: begun)
      if !refused.isEmpty { ended(refused) }
      startNext()
    }
  }

  private func startNext() {
    while running < Self.atOnce, !waiting.isEmpty {
      running += 1
      let (hook, begun) = waiting.removeFirst()
      read(hook, begun)
    }
  }

  private func read(_ hook: Hook, _ begun: @escaping () -> Void) {
    let start = Once<[UInt8]> { [self] input in self.start(hook, input: input, begun) }
    alarm(hook.number) { [queue] json in queue.async { start(json) } }
    queue.asyncAfter(deadline: .now() + .seconds(Self.readPatience)) { start([]) }
  }

  private func start(_ hook: Hook, input: [UInt8], _ begun: @escaping () -> Void) {
    units.start(hook, input: input, begun: begun) { [self] outcome in
      switch outcome {
      case .ended(let result): end(hook, result)
      case .noManager:
        processes.start(hook, input: input) { [self] in end(hook, $0, isConfined: isConfined) }
      }
      begun()
    }
  }

  private func end(_ hook: Hook, _ result: HookRun.Result?, isConfined: Bool = false) {
    running -= 1
    var end = HookEnd(hook, result ?? .other)
    end.isConfined = isConfined
    ended([end])
    startNext()
  }
}

/// Calls a closure the first time only. Confined to one queue.
private final class Once<Input>: @unchecked Sendable {
  private var body: ((Input) -> Void)?

  init(_ body: @escaping (Input) -> Void) { self.body = body }

  func callAsFunction(_ input: Input) {
    let body = body
    self.body = nil
    body?(input)
  }
}

extension HookEnd {
  fileprivate init(_ hook: Hook, _ result: HookRun.Result) {
    self.init(number: hook.number, ring: hook.ring, run: HookRun(hook: hook.name, result: result))
  }
}
