import EggProtocol
import EggTime
import Gettext
import Glibc
import LinuxIO

/// The screen's loop: waits for keys, messages, signals and the next second that shows, then draws the
/// changes.
struct WatchLoop<Face: ScreenFace> {
  private let surroundings: Surroundings
  private let screen: WatchScreen
  /// Whether the terminal's bell rings.
  private let rings: Bool
  private var zone: Zone
  private(set) var face: Face
  private var keys = KeyReader()
  private var machines: [WatchedMachine]
  private var isInterrupted = false
  /// When the last key was pressed.
  private var typed = ContinuousClock.now
  /// When the passage of time was last drawn.
  private var ticked = ContinuousClock.now

  /// How long messages are applied before the screen is drawn and keys are read.
  private static var portion: Duration { .milliseconds(30) }
  /// How long to wait for the rest of a key's sequence.
  private static var escapeTime: Duration { .milliseconds(50) }

  /// Throws ``Failure`` if eggd is not running.
  init(_ machines: [WatchedMachine], face: Face, screen: WatchScreen, rings: Bool) throws {
    surroundings = machines[0].surroundings
    self.rings = rings
    self.screen = screen
    zone = try surroundings.zone()
    self.face = face
    self.machines = machines
    for index in machines.indices { try self.machines[index].connect() }
  }

  /// Runs until the user quits; false after Control-C.
  mutating func run() -> Bool {
    screen.enter()
    defer { screen.leave() }
    while !face.isOver {
      let ready = wait(until: draw())
      if ready.contains(screen.signals) { takeSignals() }
      takeKeys(areReady: ready.contains(screen.input))
      for index in machines.indices {
        takeMessages(UInt8(index))
        takeReplies(UInt8(index))
        machines[index].connectAgain()
      }
    }
    return !isInterrupted
  }

  /// Draws. Returns when the picture next changes by time alone.
  private mutating func draw() -> ContinuousClock.Instant? {
    // The machine's zone may have changed.
    zone = (try? surroundings.zone()) ?? zone
    let moments = Moments(zone: zone, now: surroundings.now(), dates: surroundings.dates)
    let (picture, change) = face.draw(screen.size, moments, colours: surroundings.output.colours.data)
    screen.show(picture)
    let now = ContinuousClock.now
    if now >= ticked + .seconds(1) { ticked = now }
    return change.map { now + max(.microseconds(($0 - moments.now).microseconds), ticked + face.pause - now) }
  }

  /// Waits until there is something to do; returns the readable descriptors.
  private func wait(until tick: ContinuousClock.Instant?) -> [Int32] {
    var deadlines = (machines.map(\.retry) + [tick]).compactMap(\.self)
    if machines.contains(where: \.isBehind) { deadlines.append(.now) }
    if keys.isWaiting { deadlines.append(typed + Self.escapeTime) }
    let sources = [screen.input, screen.signals] + machines.flatMap(\.descriptors)
    var entries = sources.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    let timeout = deadlines.min()?.pollTime ?? -1
    guard poll(&entries, nfds_t(entries.count), timeout) > 0 else { return [] }
    return entries.filter { $0.revents != 0 }.map(\.fd)
  }

  private mutating func takeSignals() {
    for signal in screen.readSignals() {
      switch signal {
      case SIGTSTP: screen.stop()
      case SIGCONT: screen.goOn()
      default: screen.forget()
      }
    }
  }

  private mutating func takeKeys(areReady: Bool) {
    if areReady {
      guard let bytes = screen.read() else {
        face.isOver = true
        return
      }
      typed = .now
      press(keys.read(bytes))
    } else if keys.isWaiting, typed + Self.escapeTime <= .now {
      press(keys.flush())
    }
  }

  private mutating func press(_ keys: [Key]) {
    for key in keys where !face.isOver {
      switch key {
      case .control("c"):
        isInterrupted = true
        face.isOver = true
      case .control("z"): screen.stop()
      case .control("l"): screen.forget()
      default:
        let context = Moments(zone: zone, now: surroundings.now(), dates: surroundings.dates).context
        for request in face.press(key, in: context) { send(request, to: request.host ?? face.target) }
      }
    }
  }

  private mutating func send(_ request: WatchRequest, to host: UInt8) {
    do {
      try machines[Int(host)].send(request)
    } catch {
      face.fail(request, machines[Int(host)].failure(of: error, request).message)
    }
  }

  private mutating func takeMessages(_ host: UInt8) {
    let end = ContinuousClock.now + Self.portion
    machines[Int(host)].isBehind = false
    do throws(ScheduleClientError) {
      repeat {
        guard let message = try machines[Int(host)].nextMessage() else { return }
        face.apply(message, from: host)
        if rings, face.isRing(message) { screen.bell() }
      } while .now < end
      machines[Int(host)].isBehind = true
    } catch {
      lose(error, from: host)
    }
  }

  private mutating func takeReplies(_ host: UInt8) {
    while let (request, result) = machines[Int(host)].nextOutcome() {
      switch result {
      case .success(let outcome): face.apply(outcome, from: host)
      case .failure(let error): face.fail(request, machines[Int(host)].failure(of: error, request).message)
      }
    }
  }

  private mutating func lose(_ error: ScheduleClientError, from host: UInt8) {
    face.lose(machines[Int(host)].absence(after: error), from: host)
    if machines[Int(host)].awaitsReply {
      face.notice = tr("eggd closed the connection before it answered")
    }
    machines[Int(host)].forgetRequests()
  }
}
