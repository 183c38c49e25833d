import Alarms
import EggProtocol
import Gettext
import Glibc
import LinuxIO
import Varlink

/// The reply to a change of selected alarms.
protocol SelectionReply {
  /// Numbers without an alarm.
  var missing: [Int64] { get set }
  var missingIds: [AlarmID] { get }
  /// How many alarms were changed that the reply does not hold.
  var others: Int64 { get }
}

extension AlarmsReply: SelectionReply {
  var others: Int64 { max(0, (count ?? 0) - Int64(alarms.count)) }
}

extension DeleteReply: SelectionReply {
  var others: Int64 { max(0, count - Int64(deleted.count)) }
}

/// A connection to eggd. Its errors are ``Failure``s.
struct Connection {
  /// From this number of alarms on, progress is shown.
  private static let many: Int64 = 1_000

  /// Open calls of one client; eggd accepts 64.
  static let callsUnderWay = 32

  let client: ScheduleClient
  let surroundings: Surroundings

  init(_ surroundings: Surroundings) throws {
    self.surroundings = surroundings
    client = try Self.client(surroundings)
    surroundings.watchUnit(client, says: true)
    if surroundings.showsMoments, surroundings.host == nil, surroundings.dates.isUnknown {
      // If that fails, so does the next call.
      try? client.sendAhead(ConfigCall()) { [dates = surroundings.dates] in dates.know($0) }
    }
  }

  /// Throws ``Failure``.
  static func client(_ surroundings: Surroundings) throws -> ScheduleClient {
    let daemon = try surroundings.daemon()
    do {
      return try daemon.connect(timeout: surroundings.patience(0))
    } catch {
      throw failure(of: error, precondition: nil, surroundings)
    }
  }

  /// Makes a change. `precondition` names the state that the change needs. `alarms` is how many it may
  /// affect: more of them may take longer, and progress is shown for many. `refusal` can word a refusal of
  /// its own.
  func call<Call: ScheduleMethod>(
    _ call: Call, precondition: String? = nil, alarms: Int64 = 0,
    refusal: (ScheduleError) -> Failure? = { _ in nil }
  ) throws -> Call.Reply {
    if alarms >= Self.many { try surroundings.output.progress(tr("going through \(alarms) alarms ...")) }
    surroundings.watchUnit(client, says: true)
    defer { surroundings.output.endProgress() }
    do {
      let reply = try client.call(call, timeout: surroundings.patience(alarms))
      surroundings.output.done = tr("the change was made")
      return reply
    } catch {
      if case .connection(.timedOut) = error {
        throw Self.unitFailure(surroundings)
          ?? Failure(
            .timeout, tr("eggd did not answer in time: the change may still happen"),
            hint: tr("eggctl undo --preview shows the last change"))
      }
      throw ownFailure(of: Call.self, error, refusal)
        ?? Self.failure(of: error, precondition: precondition, surroundings)
    }
  }

  /// The verb's own words for a refusal, or the failure if an older eggd does not know a parameter.
  private func ownFailure<Call: ScheduleMethod>(
    of: Call.Type, _ error: ScheduleClientError, _ refusal: (ScheduleError) -> Failure?
  ) -> Failure? {
    switch error {
    case .refused(let refused):
      var failure = refusal(refused)
      failure?.cause = refused
      return failure
    case .invalidParameter(let name):
      return OtherVersion.failure(
        ofParameter: name, of: Call.method, on: client.connection, timeout: surroundings.patience(0))
    case .connection: return nil
    }
  }

  /// Makes a call that changes nothing. `absent` is the hint if there is no such alarm; `refusal` as for a
  /// change.
  func read<Call: ScheduleMethod>(
    _ call: Call, absent hint: String? = nil, refusal: (ScheduleError) -> Failure? = { _ in nil }
  ) throws -> Call.Reply {
    do {
      return try client.call(call, timeout: surroundings.patience(0))
    } catch {
      var failure = ownFailure(of: Call.self, error, refusal) ?? Self.failure(ofReading: error, surroundings)
      if let hint, case .refused(.noSuchAlarm) = error { failure.hint = hint }
      throw failure
    }
  }

  /// Sends a call; ``reply(to:)`` takes its reply later. At most ``callsUnderWay`` may be open.
  func begin<Call: ScheduleMethod>(_ call: Call) throws { try begin(Call.self, json: JSON.bytes(call)) }

  /// The same, with the JSON of its parameters.
  func begin<Call: ScheduleMethod>(_: Call.Type, json: [UInt8]) throws {
    do {
      try client.send(Call.self, json: json)
    } catch {
      throw Self.failure(ofReading: error, surroundings)
    }
  }

  /// The reply to the earliest open call; nil if its alarm is gone.
  func reply<Call: ScheduleMethod>(to: Call.Type, isReading: Bool) throws -> Call.Reply? {
    do {
      return try client.receive(Call.self, timeout: surroundings.patience(0))
    } catch {
      if case .refused(.noSuchAlarm) = error { return nil }
      throw isReading
        ? Self.failure(ofReading: error, surroundings)
        : Self.failure(of: error, precondition: nil, surroundings)
    }
  }

  /// Changes the selected alarms; `alarms` is how many, if known.
  func change<Call: SelectingCall>(
    _ call: Call, precondition: String? = nil, alarms: Int64? = nil,
    refusal: (ScheduleError) -> Failure? = { _ in nil }
  ) throws -> Call.Reply where Call.Reply: SelectionReply {
    try call.selection.checkSize()
    let alarms = try alarms ?? reach(of: call.selection)
    let ranges = call.selection.ranges
    return try self.call(call, precondition: precondition, alarms: alarms) { error in
      // eggd does not report empty ranges; if nothing was found, all are empty.
      guard case .noSuchAlarm(let numbers, let ids) = error, !ranges.isEmpty else { return refusal(error) }
      return .missing(numbers, ids, ranges)
    }
  }

  /// An upper bound of the number of selected alarms.
  private func reach(of selection: WireSelection) throws -> Int64 {
    let named = Int64(selection.numbers.count + selection.ids.count)
    let count = selection.ranges.reduce(named) { $0 + min($1.last - $1.first, 1 << 32) + 1 }
    guard selection.all || count > 1_000 else { return count }
    let all = try alarms()
    return selection.all ? all : min(all, count)
  }

  func alarms() throws -> Int64 { try read(ListCall(limit: 1, fields: [])).totals.alarms }

  /// The alarms in full, without those that are gone.
  func shows(_ numbers: [Int64]) throws -> [ShowReply] {
    var replies: [ShowReply] = []
    var begun = 0
    for taken in numbers.indices {
      while begun < min(numbers.count, taken + Self.callsUnderWay) {
        try begin(ShowCall(number: numbers[begun]))
        begun += 1
      }
      if let reply = try reply(to: ShowCall.self, isReading: true) { replies.append(reply) }
    }
    return replies
  }

  func pages(_ call: ListCall, each: (ListReply) throws -> Void) throws {
    do {
      try client.stream(call, timeout: surroundings.patience(0)) { page in
        try each(page)
        return true
      }
    } catch let error as ScheduleClientError {
      throw ownFailure(of: ListCall.self, error) { _ in nil } ?? Self.failure(ofReading: error, surroundings)
    }
  }

  static func failure(ofReading error: ScheduleClientError, _ surroundings: Surroundings) -> Failure {
    guard case .refused(.storeUnavailable(let reason)) = error else {
      return failure(of: error, precondition: nil, surroundings)
    }
    return Failure(
      .refused, tr("the schedule cannot be read: \(tr(received: reason).visible)"), hint: "eggctl status",
      cause: .storeUnavailable(reason: reason))
  }

  /// The failure of a call. `precondition` names the state that the call needs.
  static func failure(
    of error: ScheduleClientError, precondition: String?, _ surroundings: Surroundings
  ) -> Failure {
    switch error {
    case .refused(.invalidZone(let zone)) where surroundings.host != nil:
      let host = surroundings.host?.name.text ?? ""
      return Failure(
        .usage, tr("there is no zone '\(zone.visible)' on \(host)"),
        hint: tr("set TZ to the name of a zone that both machines have, such as Europe/Paris"))
    case .refused(let error):
      return error.failure(precondition: precondition) {
        surroundings.dates.format.text($0, in: (try? surroundings.zone()) ?? .utc)
      }
    case .invalidParameter("key"): return Failure(.usage, tr("--key must not be empty"))
    case .invalidParameter("other"): return Failure(.usage, tr("an alarm cannot be put next to itself"))
    case .invalidParameter(let name):
      return Failure(.usage, tr("eggd does not accept the value of '\(name.visible)'"))
    case .connection(let error): return failure(of: error, surroundings)
    }
  }

  static var lateness: Failure {
    Failure(.timeout, tr("eggd did not answer in time"), hint: "systemctl --user status eggd")
  }

  /// The service manager's reason if eggd cannot start.
  static func unitFailure(_ surroundings: Surroundings) -> Failure? {
    // While the unit restarts, its state does not show the last failure.
    for _ in 0..<5 {
      guard let state = surroundings.unit?() else { return nil }
      if state.isMasked { return state.mask }
      if state.isFailing { return state.failure }
      guard state.activeState == "activating" else { return state.serves ? nil : state.mask }
      poll(nil, 0, 50)
    }
    return nil
  }

  private static func failure(of error: VarlinkClientError, _ surroundings: Surroundings) -> Failure {
    switch error {
    case .disconnected where surroundings.host != nil:
      surroundings.host.flatMap { $0.failure ?? $0.lost } ?? lateness
    case .unreachable(let code, let path):
      unreachable(code, path, surroundings)
    case .disconnected:
      // After a crash with a restart, this says more than the unit's state.
      surroundings.unit?().flatMap { $0.isMasked ? $0.mask : $0.hasFailed ? $0.failure : nil }
        ?? Failure(
          .unavailable, tr("eggd closed the connection before it answered"),
          hint: "systemctl --user status eggd")
    case .timedOut: unitFailure(surroundings) ?? lateness
    case .protocolViolation(let what):
      Failure(.protocolError, tr("the server on eggd's socket is not eggd: \(what.visible)"))
    case .misuse(let what): Failure(.bug, tr("bug in eggctl: \(what.visible)"))
    case .remote(let error) where error.name == "org.varlink.service.PermissionDenied":
      Failure(.notPermitted, tr("eggd serves only the user who runs it"))
    case .remote(let error):
      OtherVersion.failure(of: error)
        ?? Failure(
          .protocolError, tr("eggd sent an error that this eggctl does not know: \(error.name.visible)"),
          hint: tr("compare eggctl --version and eggctl status"))
    }
  }

  /// eggd runs, and its socket was deleted or replaced; nil otherwise.
  private static func lostSocket(_ path: String, _ surroundings: Surroundings) -> Failure? {
    guard surroundings.unit?()?.serves == true else { return nil }
    return Failure(
      .unavailable, tr("eggd's socket was deleted or replaced: nothing answers at \(path.visible)"),
      hint:
        "systemctl --user stop eggd.service eggd.socket && systemctl --user start eggd.socket eggd.service")
  }

  /// The command that lets this user use their own socket.
  private static func permission(_ path: String, _ user: uid_t) -> String {
    let folders = path.indices.filter { path[$0] == "/" && $0 > path.startIndex }.map { String(path[..<$0]) }
    guard let closed = folders.first(where: { access($0, X_OK) != 0 }) else {
      return "chmod 600 \(path.shellQuoted)"
    }
    return FileSystem.status(closed)?.st_uid == user
      ? "chmod 700 \(closed.shellQuoted)" : "export XDG_RUNTIME_DIR=/run/user/\(user)"
  }

  private static func unreachable(_ code: Int32, _ path: String, _ surroundings: Surroundings) -> Failure {
    switch code {
    case ENOENT, ECONNREFUSED, ENOTDIR:
      unitFailure(surroundings) ?? lostSocket(path, surroundings)
        ?? Failure(
          .unavailable,
          code == ECONNREFUSED
            ? tr("eggd is not running: nothing listens on \(path.visible)")
            : tr("eggd is not running, or uses another XDG_RUNTIME_DIR: there is no \(path.visible)"),
          hint: Finding.isEnabled(surroundings.directories)
            ? "systemctl --user start eggd" : "systemctl --user enable --now eggd.socket")
    case EACCES:
      Failure(
        .notPermitted, tr("not permitted to use \(path.visible)"), hint: permission(path, surroundings.userID)
      )
    case EPERM:
      Failure(
        .notPermitted, tr("this socket belongs to another user's eggd: \(path.visible)"),
        hint: tr("run eggctl as that user"))
    case ENAMETOOLONG:
      Failure(
        .unavailable,
        tr("the path of eggd's socket is longer than \(UnixSocket.longestPath) bytes: \(path.visible)"),
        hint: tr("set XDG_RUNTIME_DIR to a shorter path, also for eggd"))
    default:
      Failure(
        .unavailable, tr("cannot connect to \(path.visible): \(Gettext.reason(code))"),
        hint: "systemctl --user status eggd")
    }
  }
}
