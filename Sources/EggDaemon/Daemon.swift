import Dispatch
import EggProtocol
import EggStore
import EggTime
import Gettext
import Glibc
import LinuxIO
import Ringing
import Varlink

/// One eggd: makes the parts and joins them.
package final class Daemon: @unchecked Sendable {
  // docs/architecture.md says what runs on which queue. All stored properties are set before the first queue runs, except
  // `isStopping`, which belongs to the wire's queue.
  // No queue asks for a quality of service above the default: Dispatch would raise the worker's priority, which needs a
  // privilege, and without it would log a line for every worker.
  let wireQueue = DispatchQueue(label: "wire")
  let schedulerQueue = DispatchQueue(label: "scheduler")
  private let storeQueue = DispatchQueue(label: "store")
  /// Dispatch's global queues are used only to end: their first worker starts a timer that wakes eggd each second.
  private let statusQueue = DispatchQueue(label: "status")

  private let clock: SystemClock
  private let zone: MachineZone
  private let startedAt: Instant
  private let configuration: Configuration
  private let readiness = Readiness()
  let journal: Journal
  let changeEntries: ChangeEntries
  let store: AlarmStore
  let notifier: DesktopNotifier
  let loop: SchedulerLoop
  let server: VarlinkServer
  private let requests: RequestHandler
  private let sockets: [InheritedSocket]
  let ownSocket: ListeningSocket?
  var isStopping = false
  private var signals: [any DispatchSourceSignal] = []
  private var watchdog: (any DispatchSourceTimer)?

  /// Takes the state's lock, opens the database, and binds the socket if none was passed on. Nothing rings and
  /// nobody is served yet.
  package init(_ configuration: Configuration, environment: [String: String]) throws {
    self.configuration = configuration
    let clock = SystemClock()
    let zone = MachineZone()
    self.clock = clock
    self.zone = zone
    startedAt = clock.read().wall
    let journal = Journal(queue: DispatchQueue(label: "journal"), clock: clock, zone: { zone.current })
    self.journal = journal
    changeEntries = ChangeEntries(journal: journal, clock: clock)
    let directory = try StateDirectory(
      path: configuration.stateDirectory, isSandboxed: environment["EGGD_SANDBOX"] != nil)
    sockets = InheritedSocket.take()
    ownSocket = sockets.isEmpty ? try ListeningSocket(path: configuration.socketPath) : nil
    let store = try AlarmStore(
      directory: directory, queue: storeQueue, clock: clock, bootID: readBootID(), zone: zone,
      log: { journal.log(.store($0)) })
    self.store = store
    let parts = Parts()
    let warnings = ClientWarnings(clock: clock, log: journal.log)
    var state = ConfigurationState()
    state.file = configuration.file
    let (read, mistake) = configuration.readSettings()
    // No mistake of that kind may keep alarms from ringing.
    let settings = read ?? configuration.settings(Settings())
    (state.settings, state.mistake) = (settings, mistake)
    let sound = RingSound(
      player: SoundPlayer(
        program: FileSystem.program(named: "eggd-sound", orIn: "libexec"), environment: environment),
      settings: settings.heard, queue: schedulerQueue, clock: clock, log: { journal.log($0) })
    notifier = DesktopNotifier(
      queue: schedulerQueue, clock: clock, environment: environment,
      wording: NoticeWording(
        MomentFormat(settings.dateFormat), zone: { zone.current }, snoozes: settings.snooze, say: tr),
      sound: sound,
      log: journal.log, report: { parts.daemon?.took($0) })
    let hooks = HookRunner(
      environment: environment, alarm: { number, answer in parts.daemon?.readAlarm(number, answer) },
      ended: { parts.daemon?.ended($0) })
    loop = SchedulerLoop(
      queue: schedulerQueue, clock: clock, store: store, journal: journal, notifier: notifier,
      hooks: hooks, words: settings.words, onFirstHead: { parts.daemon?.ready() },
      onClockStep: { parts.daemon?.requests.clockStepped() })
    requests = RequestHandler(
      queue: wireQueue, store: store, clock: clock, machineZone: zone.refresh, configuration: state,
      reload: { answer in parts.daemon?.reload(answer) },
      wakers: Wakes.paths(runtimeDirectory: configuration.runtimeDirectory, environment: environment),
      status: { answer in parts.daemon?.status(answer) })
    server = try VarlinkServer(
      queue: wireQueue,
      service: ServiceIdentity(
        vendor: "eggd", product: "eggd", version: Product.version, url: "man:eggd(8)"),
      interfaces: [requests.interface()],
      admits: { peer in
        let isOurs = PeerCredentials.isOurUser(peer)
        if !isOurs { warnings.tell(peer) }
        return isOurs
      }, yielded: warnings.tell)
    parts.daemon = self
  }

  /// Lets parts that are made before the daemon reach it afterwards.
  private final class Parts: @unchecked Sendable {
    weak var daemon: Daemon?
  }

  /// Rings what is due, serves clients, and returns never. SIGTERM and SIGINT end the process. SIGHUP reads config.toml
  /// anew, as it does of other daemons; where there is a terminal, it is that terminal's end, and eggd's too. One that
  /// was ignored from the start stays so, nohup(1).
  package func run() -> Never {
    signal(SIGPIPE, SIG_IGN)
    let hasTerminal = hasTerminal()
    signals = [SIGTERM, SIGINT, SIGHUP].filter { $0 != SIGHUP || !isIgnored($0) }.map { number in
      // Not ignored meanwhile: Dispatch takes it over a little later, and one that comes before would be lost.
      let source = DispatchSource.makeSignalSource(signal: number, queue: wireQueue)
      source.setEventHandler { [unowned self] in
        if number == SIGHUP, !hasTerminal { reload {} } else { stop(by: number) }
      }
      source.activate()
      return source
    }
    store.start(
      observer: loop, changes: { [requests] in requests.committed($0) },
      made: { [changeEntries] in changeEntries.made($0) })
    // Before the first head is read: nothing rings at its moment in a zone that was changed meanwhile.
    store.followZones()
    let words = loop.words
    store.resume(ring: { [journal] in journal.ring($0.saying(words), completion: $1) }) { [self] in
      schedulerQueue.async { [self] in
        notifier.start()
        loop.start()
      }
    }
    dispatchMain()
  }

  /// Whether this process has a controlling terminal, tty(4).
  private func hasTerminal() -> Bool {
    let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
    if terminal >= 0 { close(terminal) }
    return terminal >= 0
  }

  private func isIgnored(_ signal: Int32) -> Bool {
    var action = sigaction()
    sigaction(signal, nil, &action)
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
      == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  /// The head was read and what was due has rung: from here on clients are served.
  private func ready() {
    store.readRinging()
    for socket in sockets {
      if socket.listens {
        server.listen(on: socket.descriptor)
      } else {
        server.adopt(connection: socket.descriptor)
      }
    }
    if let ownSocket { server.listen(on: ownSocket.descriptor) }
    readiness.ready(status: statusLine)
    journal.log(
      .started(
        version: Product.version, socket: ownSocket == nil ? "an inherited socket" : configuration.socketPath)
    )
    let missing = missingParts
    if !missing.isEmpty { journal.log(.partsMissing(missing)) }
    wireQueue.async { [self] in
      if let mistake = requests.configuration.mistake { journal.log(.configurationInvalid(mistake)) }
      store.keepOver(for: requests.configuration.settings.keepOver)
    }
    startWatchdog()
    store.moveEarlierBoots()
    requests.beginWakes()
  }

  private var statusLine: String { "Keeping alarms in \(store.path)" }

  private var missingParts: [String] {
    var missing: [String] = []
    if !journal.isJournald { missing.append("journald (entries go to standard error)") }
    if configuration.runtimeDirectory == nil { missing.append("XDG_RUNTIME_DIR (no session bus)") }
    return missing
  }

  /// Tells systemd that eggd is alive while the wire's and the scheduler's queues run. The store's queue may stand still: a
  /// slow disk is no reason to be killed.
  private func startWatchdog() {
    guard let period = readiness.watchdogPeriod else { return }
    let timer = DispatchSource.makeTimerSource(queue: wireQueue)
    timer.schedule(deadline: .now(), repeating: .microseconds(Int(period / 2)))
    timer.setEventHandler { [schedulerQueue, readiness] in
      schedulerQueue.async { readiness.keepAlive() }
    }
    timer.activate()
    watchdog = timer
  }

  private func took(_ report: NotifierReport) {
    switch report {
    case .shown(let rings, let bubble, let server, let moment):
      loop.mark([.shown(rings, bubble: bubble, server: server, at: moment)])
    case .chosen(let choice, let notices): perform(choice, notices)
    }
  }

  /// Brings back the bubble of a choice that cannot be stored.
  private func perform(_ choice: BubbleChoice, _ notices: [Notice]) {
    let seen = Dictionary(notices.map { ($0.number, $0.occurrence) }) { max($0, $1) }
    requests.perform(choice, numbers: seen.keys.sorted(), seen: seen) { [self] numbers, error in
      journal.log(.changeRefused(method: "a bubble's \(choice.name)", reason: error))
      let failed = Set(numbers)
      giveBack(notices.filter { failed.contains($0.number) })
    }
  }

  private func giveBack(_ notices: [Notice]) {
    schedulerQueue.async { [self] in
      notifier.giveBack(notices)
      // Bubbles that were answered otherwise since are closed.
      store.stillRinging(notices.map(\.occurrence))
    }
  }

  private func status(_ answer: @escaping @Sendable (StatusReply) -> Void) {
    let connections = server.connectionCount
    schedulerQueue.async { [self] in
      let (desktop, server) = (notifier.state, notifier.serverName)
      notifier.checkSound { [self] byServer, silence in
        // Looks at files, and for the user's name wherever the machine keeps that.
        statusQueue.async { [self] in
          answer(
            StatusReply(
              version: Product.version, pid: Int64(getpid()), startedAt: startedAt,
              desktop: desktop, server: server, journal: journal.isJournald,
              connections: Int64(connections), linger: Lingering.isOn(),
              sound: byServer ? .server : silence == nil ? .player : .nobody, silence: silence))
        }
      }
    }
  }

  /// An alarm's JSON as hooks get it, once what rang is recorded.
  private func readAlarm(_ number: Int64, _ answer: @escaping @Sendable ([UInt8]) -> Void) {
    store.whenTried { [self] in
      store.alarm(.number(number)) { [clock] result in
        guard case .success(let found) = result else { return answer([]) }
        let alarm = WireAlarm(found.alarm, wallOf: WallClock(now: clock.read()).callAsFunction)
        answer((try? JSON.bytes(alarm)) ?? [])
      }
    }
  }

  private func ended(_ hooks: [HookEnd]) {
    for hook in hooks { journal.log(.hookEnded(hook)) }
    schedulerQueue.async { [self] in
      loop.mark(hooks.map { .ran($0.ring, $0.run) })
      let failed = hooks.compactMap { hook in
        if case .notStarted(let reason) = hook.run.result { (hook.ring, reason) } else { nil }
      }
      if !failed.isEmpty { notifier.take(.hookFailed(failed)) }
    }
  }

  /// Reads config.toml anew. Any thread; `answer` is called on the wire's queue, after all parts follow the file. After a
  /// mistake they go on as they were.
  private func reload(_ answer: @escaping @Sendable () -> Void) {
    // The file may lie on a slow disk.
    statusQueue.async { [self] in
      readiness.reloading(clock.read())
      let (settings, mistake) = configuration.readSettings()
      // Reads the locale's files.
      let format = settings.map { MomentFormat($0.dateFormat) }
      schedulerQueue.async { [self] in
        if let settings, let format {
          loop.words = settings.words
          notifier.follow(
            NoticeWording(format, zone: { [zone] in zone.current }, snoozes: settings.snooze, say: tr),
            settings.heard)
        }
        wireQueue.async { [self] in
          if let settings {
            requests.configuration.settings = settings
            store.keepOver(for: settings.keepOver)
          }
          requests.configuration.mistake = mistake
          journal.log(mistake.map { .configurationInvalid($0) } ?? .reloaded(file: configuration.file ?? ""))
          if !isStopping { readiness.ready(status: statusLine) }
          answer()
        }
      }
    }
  }

  /// - Parameter signal: A second SIGINT, which only a person sends, ends the wait for a disk or a lock.
  private func stop(by signal: Int32) {
    guard !isStopping else {
      if signal == SIGINT { Shutdown(self).end() }
      return
    }
    isStopping = true
    readiness.stopping()
    Shutdown(self).begin()
  }
}
