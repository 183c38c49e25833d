import LinuxIO
import EggProtocol
import EggTime
import Glibc
import Varlink

/// What came of a change of selected alarms.
protocol SelectionReply {
  /// Numbers that no alarm has.
  var missing: [Int64] { get set }
}

extension AlarmsReply: SelectionReply {}

extension DeleteReply: SelectionReply {}

/// A connection to eggd whose errors are ready to be told.
struct Connection {
  /// So many alarms take long enough to say that they are under way.
  private static let many: Int64 = 1_000

  /// How many calls one client has open at a time, of those that eggd takes (64).
  static let callsUnderWay = 32

  private let client: ScheduleClient
  private let surroundings: Surroundings

  /// Connects to the socket that the surroundings name.
  init(_ surroundings: Surroundings) throws {
    self.surroundings = surroundings
    let path = try surroundings.socketPath()
    do {
      client = try ScheduleClient(path: path, timeout: surroundings.patience(0))
      surroundings.watchUnit(client)
    } catch {
      throw Self.failure(of: error, precondition: nil, surroundings)
    }
  }

  /// One call that changes something, and its reply. `precondition` says which state of an alarm the call needs; a change
  /// of more `alarms` may take longer, and what goes on is said meanwhile where they are many. `refusal` words a refusal
  /// where the call knows more of it.
  func call<Call: ScheduleMethod>(
    _ call: Call, precondition: String? = nil, alarms: Int64 = 0, doing: String = "going through",
    refusal: (ScheduleError) -> Failure? = { _ in nil }
  ) throws -> Call.Reply {
    if alarms >= Self.many { try surroundings.output.progress("\(doing) \(alarms) alarms ...") }
    defer { surroundings.output.endProgress() }
    do {
      let reply = try client.call(call, timeout: surroundings.patience(alarms))
      surroundings.output.done = "the change was made"
      return reply
    } catch {
      if case .connection(.timedOut) = error { throw Self.unitFailure(surroundings) ?? Self.unanswered }
      if case .refused(let refused) = error, let failure = refusal(refused) { throw failure }
      throw otherVersion(error, of: Call.self)
        ?? Self.failure(of: error, precondition: precondition, surroundings)
    }
  }

  /// The failure of a call that an older eggd could not read.
  private func otherVersion<Call: ScheduleMethod>(_ error: any Error, of: Call.Type) -> Failure? {
    guard case .invalidParameter(let name) = error as? ScheduleClientError else { return nil }
    return OtherVersion.failure(
      ofParameter: name, of: Call.method, on: client.connection, timeout: surroundings.patience(0))
  }

  /// One call that changes nothing, and its reply. `absent` is the hint where there is no such alarm; `refusal` as for a
  /// change.
  func read<Call: ScheduleMethod>(
    _ call: Call, absent hint: String? = nil, refusal: (ScheduleError) -> Failure? = { _ in nil }
  ) throws -> Call.Reply {
    do {
      return try client.call(call, timeout: surroundings.patience(0))
    } catch {
      if case .refused(let refused) = error, let failure = refusal(refused) { throw failure }
      var failure = otherVersion(error, of: Call.self) ?? Self.failure(ofReading: error, surroundings)
      if let hint, case .refused(.noSuchAlarm) = error { failure.hint = hint }
      throw failure
    }
  }

  /// Makes a call whose reply is taken later, by ``reply(to:)``; at most ``callsUnderWay`` should wait.
  func begin<Call: ScheduleMethod>(_ call: Call) throws {
    do throws(VarlinkClientError) {
      try client.connection.send(Call.qualifiedName, call)
    } catch {
      throw Self.failure(ofReading: ScheduleClientError(error), surroundings)
    }
  }

  /// The reply to the earliest call that was begun and has none yet; nil where it names an alarm that is gone.
  func reply<Call: ScheduleMethod>(to: Call.Type, isReading: Bool) throws -> Call.Reply? {
    do throws(VarlinkClientError) {
      return try client.connection.receive(timeout: surroundings.patience(0))
    } catch {
      let error = ScheduleClientError(error)
      if case .refused(.noSuchAlarm) = error { return nil }
      throw isReading
        ? Self.failure(ofReading: error, surroundings)
        : Self.failure(of: error, precondition: nil, surroundings)
    }
  }

  /// Makes one change of the alarms that the call selects: of so many, where that is known.
  func change<Call: ScheduleMethod & SelectingCall>(
    _ call: Call, precondition: String? = nil, alarms: Int64? = nil, doing: String = "going through"
  ) throws -> Call.Reply where Call.Reply: SelectionReply {
    var call = call
    var missing: [Int64] = []
    if !call.selection.isShort {
      let numbers = call.selection.numbers
      call.selection = try call.selection.folded()
      missing = try self.missing(of: numbers)
    }
    let alarms = try alarms ?? reach(of: call.selection)
    let ranges = call.selection.ranges
    var reply = try self.call(call, precondition: precondition, alarms: alarms, doing: doing) { error in
      // eggd does not tell which ranges are empty: where nothing was found, all are.
      guard case .noSuchAlarm(let numbers, let ids) = error, !ranges.isEmpty else { return nil }
      return .missing(numbers, ids, ranges)
    }
    if !missing.isEmpty { reply.missing = Set(reply.missing + missing).sorted() }
    return reply
  }

  /// Those that no alarm has.
  private func missing(of numbers: [Int64]) throws -> [Int64] {
    var missing = Set(numbers)
    try pages(ListCall(fields: [])) { page in missing.subtract(page.alarms.map(\.number)) }
    return missing.sorted()
  }

  /// How many alarms these are, at most.
  private func reach(of selection: WireSelection) throws -> Int64 {
    let named = Int64(selection.numbers.count + selection.ids.count)
    let count = selection.ranges.reduce(named) { $0 + min($1.last - $1.first, 1 << 32) + 1 }
    guard selection.all || count > 1_000 else { return count }
    let all = try alarms()
    return selection.all ? all : min(all, count)
  }

  /// How many alarms there are.
  func alarms() throws -> Int64 { try read(ListCall(limit: 1, fields: [])).totals.alarms }

  /// All that is known of these alarms; without those that are gone.
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

  /// The pages of a list, one after the other as they come.
  func pages(_ call: ListCall, each: (ListReply) throws -> Void) throws {
    do {
      try client.stream(call, timeout: surroundings.patience(0)) { page in
        try each(page)
        return true
      }
    } catch let error as ScheduleClientError {
      throw otherVersion(error, of: ListCall.self) ?? Self.failure(ofReading: error, surroundings)
    }
  }

  /// An error of a call that changes nothing.
  static func failure(ofReading error: ScheduleClientError, _ surroundings: Surroundings) -> Failure {
    guard case .refused(.storeUnavailable(let reason)) = error else {
      return failure(of: error, precondition: nil, surroundings)
    }
    return Failure(.refused, "the schedule cannot be read: \(reason.visible)", hint: "eggctl status")
  }

  /// An error of a call in words. `precondition` says which state of an alarm the call needs.
  static func failure(
    of error: ScheduleClientError, precondition: String?, _ surroundings: Surroundings
  ) -> Failure {
    switch error {
    case .refused(let error):
      return error.failure(precondition: precondition) {
        DisplayFormat.text($0, in: (try? surroundings.zone()) ?? .utc)
      }
    case .invalidParameter("key"): return Failure(.usage, "--key needs a text")
    case .invalidParameter(let name): return Failure(.usage, "eggd cannot use the value of '\(name.visible)'")
    case .connection(let error): return failure(of: error, surroundings)
    }
  }

  /// A change of which nothing was heard.
  private static var unanswered: Failure {
    Failure(
      .timeout, "eggd did not answer in time: the change may still be made",
      hint: "eggctl list, or eggctl undo --preview, which names the last change")
  }

  /// Nothing was heard.
  static var lateness: Failure {
    Failure(.timeout, "eggd did not answer in time", hint: "systemctl --user status eggd")
  }

  /// What the service manager says where eggd cannot start.
  private static func unitFailure(_ surroundings: Surroundings) -> Failure? {
    // Of one that is just being started again it does not say that it failed before.
    for _ in 0..<5 {
      guard let state = surroundings.unit?() else { return nil }
      if state.isFailing { return state.failure }
      guard state.activeState == "activating" else { return nil }
      poll(nil, 0, 50)
    }
    return nil
  }

  private static func failure(of error: VarlinkClientError, _ surroundings: Surroundings) -> Failure {
    switch error {
    case .unreachable(let code, let path):
      unreachable(code, path, surroundings)
    case .disconnected:
      // Of one that was killed and is started again this says more than the unit's state.
      surroundings.unit?().flatMap { $0.hasFailed ? $0.failure : nil }
        ?? Failure(
          .unavailable, "eggd closed the connection before it answered", hint: "systemctl --user status eggd")
    case .timedOut: unitFailure(surroundings) ?? lateness
    case .protocolViolation(let what):
      Failure(.protocolError, "what listens on eggd's socket is not eggd: \(what.visible)")
    case .misuse(let what): Failure(.bug, "a fault of eggctl: \(what.visible)")
    case .remote(let error) where error.name == "org.varlink.service.PermissionDenied":
      Failure(.notPermitted, "eggd serves only the person who runs it")
    case .remote(let error):
      OtherVersion.failure(of: error)
        ?? Failure(
          .protocolError, "eggd answered what this eggctl does not know: \(error.name.visible)",
          hint: "compare eggctl --version and eggctl status")
    }
  }

  private static func unreachable(_ code: Int32, _ path: String, _ surroundings: Surroundings) -> Failure {
    switch code {
    case ENOENT, ECONNREFUSED, ENOTDIR:
      unitFailure(surroundings)
        ?? Failure(
          .unavailable,
          code == ECONNREFUSED
            ? "eggd is not running: nobody serves \(path.visible)"
            : "eggd is not running, or not with this XDG_RUNTIME_DIR: there is no \(path.visible)",
          hint: Finding.isEnabled(surroundings.variable)
            ? "systemctl --user start eggd" : "systemctl --user enable --now eggd")
    case EACCES:
      Failure(.notPermitted, "not permitted to use \(path.visible)")
    case EPERM:
      Failure(
        .notPermitted, "this socket belongs to another user's eggd: \(path.visible)",
        hint: "run eggctl as that user")
    case ENAMETOOLONG:
      Failure(
        .unavailable,
        "the path of eggd's socket is longer than \(UnixSocket.longestPath) bytes: \(path.visible)",
        hint: "set XDG_RUNTIME_DIR to a shorter path, for eggd too")
    default:
      Failure(
        .unavailable, "cannot connect to \(path.visible): \(String(cString: strerror(code)))",
        hint: "systemctl --user status eggd")
    }
  }
}
