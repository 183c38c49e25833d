import Alarms
import DBus
import Dispatch
import EggProtocol
import EggTime
import Ringing

/// Shows rings on the desktop: connects ``Bubbles`` to the session bus. Confined to the scheduler's queue, on which both
/// closures are called too. Nothing here waits.
///
/// Sendable because `queue` guards every stored property.
package final class DesktopNotifier: @unchecked Sendable {
  /// How long eggd runs before it has a notification server started, in µs of CLOCK_MONOTONIC. A session that is starting
  /// brings its own.
  package static let settlingTime: Int64 = 10_000_000

  let queue: DispatchQueue
  private let clock: any Clock
  private let log: (JournalEvent) -> Void
  private let report: (NotifierReport) -> Void
  private let environment: [String: String]
  private var bubbles: Bubbles
  private let sound: RingSound?
  private var bus: SessionBus?
  private(set) var session: NotificationSession?
  /// The notification server's name; nil until it has told it.
  package var serverName: String? { session?.serverName }
  private var startedAt: Int64 = 0
  private var hasSettled = false
  private var settlingTimer: (any DispatchSourceTimer)?
  private var saidNoServer = false
  /// What the timer of insisting alarms is set to.
  private var repetition: Instant?
  private var repetitionTimer: (any DispatchSourceTimer)?
  /// What waits for the answers to all Notify calls.
  private var onceAnswered: (() -> Void)?

  /// `queue` is the scheduler's; `environment` the process's own; `sound` what no server plays.
  package init(
    queue: DispatchQueue, clock: any Clock, environment: [String: String], wording: NoticeWording,
    sound: RingSound? = nil,
    log: @escaping (JournalEvent) -> Void, report: @escaping (NotifierReport) -> Void
  ) {
    self.queue = queue
    self.clock = clock
    self.environment = environment
    self.log = log
    self.report = report
    self.sound = sound
    bubbles = Bubbles(wording: wording, ownDisplay: Self.namesDisplay(environment))
  }

  /// Words what is sent from now on, and says how it is heard.
  package func follow(_ wording: NoticeWording, _ settings: SoundSettings) {
    dispatchPrecondition(condition: .onQueue(queue))
    bubbles.wording = wording
    sound?.settings = settings
  }

  /// Connects, now or when there is a bus.
  package func start() {
    dispatchPrecondition(condition: .onQueue(queue))
    startedAt = clock.read().monotonic
    let bus = SessionBus(queue: queue, environment: environment) { [weak self] in self?.handle($0) }
    self.bus = bus
    bus.connect()
  }

  /// Calls back once the server has answered for every bubble: the next eggd can close only those whose ids are known.
  /// For the end of eggd: a second call replaces the first.
  package func whenAnswered(within patience: DispatchTimeInterval, _ body: @escaping () -> Void) {
    dispatchPrecondition(condition: .onQueue(queue))
    guard bubbles.awaitsAnswer else { return body() }
    onceAnswered = body
    queue.asyncAfter(deadline: .now() + patience) { [self] in endWait() }
  }

  private func endWait() {
    onceAnswered?()
    onceAnswered = nil
  }

  /// Leaves the bus. Bubbles stay on the screen.
  package func stop() {
    dispatchPrecondition(condition: .onQueue(queue))
    settlingTimer?.cancel()
    settlingTimer = nil
    repetitionTimer?.cancel()
    repetitionTimer = nil
    sound?.stop()
    session = nil
    bus?.stop()
    bus = nil
  }

  /// Rings found due by one wake-up or by one slice of a catch-up: more than five share one bubble.
  ///
  /// - Parameter joins: A further slice of the same catch-up joins its shared bubble.
  package func show(_ notices: [Notice], joins: Bool = false) {
    if !joins { bus?.connect() }
    take(.show(notices, joins: joins))
    makeHeard(notices, joins: joins)
  }

  /// The person's choice for these could not be stored: shows them again.
  package func giveBack(_ notices: [Notice]) {
    take(.giveBack(notices))
    makeHeard(notices, joins: false)
  }

  /// Every occurrence that has a bubble or waits for one, in no order.
  package var shownOccurrences: [Int64] {
    dispatchPrecondition(condition: .onQueue(queue))
    return bubbles.shownOccurrences
  }

  /// Last of all: the bubbles are on their way.
  private func makeHeard(_ notices: [Notice], joins: Bool) {
    guard serverPlays else {
      sound?.rang(notices, isShared: joins || notices.count > Bubbles.separateLimit)
      return
    }
    // What has failed may work again by the next ring.
    sound?.check { _ in }
  }

  /// Whether the server plays the sounds of bubbles: where it can, and eggd cannot.
  package var serverPlays: Bool { session?.serverPlays == true }

  package var isPlaying: Bool { sound?.isPlaying == true }

  /// Why no ring is heard; nil for one that is, by the server or by eggd.
  package func checkSound(_ answer: @escaping @Sendable (_ byServer: Bool, _ problem: String?) -> Void) {
    dispatchPrecondition(condition: .onQueue(queue))
    guard let sound else { return answer(true, nil) }
    sound.check { [weak self] problem in
      // On the same queue.
      let byServer = self?.serverPlays == true
      answer(byServer, byServer ? nil : problem)
    }
  }

  /// How far bubbles get.
  package var state: DesktopState {
    dispatchPrecondition(condition: .onQueue(queue))
    guard let session else { return .noBus }
    return session.owner == nil ? .noServer : .shown
  }
}

extension DesktopNotifier {
  private func handle(_ event: SessionBus.Event) {
    switch event {
    case .connected(let connection):
      log(.busAppeared(address: bus?.address ?? ""))
      session = NotificationSession(
        connection, iconFile: IconFile.installed(environment), sound: sound, log: log
      ) { [weak self] in self?.take($0) }
    case .absent(let reason):
      session = nil
      log(.noBus(reason: reason))
      take(.busLost)
    }
  }

  package func take(_ input: BubbleInput) {
    dispatchPrecondition(condition: .onQueue(queue))
    let now = clock.read()
    if !hasSettled, now.monotonic - startedAt >= Self.settlingTime { settle(now.wall) }
    perform(bubbles.handle(input, now: now.wall))
    sound?.keep(for: bubbles)
    armRepetition(now.wall)
    if !bubbles.awaitsAnswer { endWait() }
    if session?.owner != nil { saidNoServer = false }
    guard session?.lacksServer == true, !saidNoServer || !hasSettled, bubbles.keepsSomething else { return }
    if !saidNoServer {
      saidNoServer = true
      log(.noServer(reason: "nobody owns \(NotificationSession.name)"))
    }
    if !hasSettled, settlingTimer == nil { armSettlingTimer(now.monotonic) }
  }

  private func settle(_ now: Instant) {
    hasSettled = true
    settlingTimer?.cancel()
    settlingTimer = nil
    perform(bubbles.handle(.settled, now: now))
  }

  private func armSettlingTimer(_ now: Int64) {
    settlingTimer = timer(after: startedAt + Self.settlingTime - now) { [weak self] in
      guard let self, !hasSettled else { return }
      settle(clock.read().wall)
    }
  }

  private func armRepetition(_ now: Instant) {
    guard bubbles.nextRepetition != repetition else { return }
    repetition = bubbles.nextRepetition
    repetitionTimer?.cancel()
    repetitionTimer = nil
    guard let repetition else { return }
    repetitionTimer = timer(after: (repetition - now).microseconds) { [weak self] in
      self?.repetition = nil
      self?.take(.insist)
    }
  }

  /// - Parameter pause: In µs.
  private func timer(after pause: Int64, _ body: @escaping () -> Void) -> any DispatchSourceTimer {
    let timer = DispatchSource.makeTimerSource(queue: queue)
    timer.setEventHandler(handler: body)
    timer.schedule(deadline: .now() + .microseconds(Int(clamping: max(0, pause))))
    timer.resume()
    return timer
  }

  private func perform(_ effects: [BubbleEffect]) {
    for effect in effects {
      switch effect {
      case .report(let news): report(news)
      case .sound(let notices): makeHeard(notices, joins: false)
      default: session?.perform(effect)
      }
    }
  }

  /// Whether an environment names a display on which a notification server could run.
  static func namesDisplay(_ environment: [String: String]) -> Bool {
    ["DISPLAY", "WAYLAND_DISPLAY"].contains { environment[$0]?.isEmpty == false }
  }
}
