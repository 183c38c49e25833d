import EggProtocol
import Gettext
import Glibc
import Varlink

struct Failure: Error, Equatable {
  var status: ExitStatus
  /// One line, lower case, without a full stop.
  var message: String
  /// Printed below the message as it is: an expression with a caret under the place.
  var excerpt: String?
  /// What to do about it, usually the next command.
  var hint: String?
  /// The error of the interface that this words; nil if eggctl has its own reason.
  var cause: ScheduleError?
  /// What the words may mean where they can be read in several ways.
  var choices: [ExpressionWords] = []

  init(
    _ status: ExitStatus, _ message: String, excerpt: String? = nil, hint: String? = nil,
    cause: ScheduleError? = nil
  ) {
    self.status = status
    self.message = message
    self.excerpt = excerpt
    self.hint = hint
    self.cause = cause
  }

  /// `code` is what execve(2) said.
  static func cannotRun(_ program: String, _ code: Int32) -> Failure {
    let reason = code == ENOENT ? tr("it is not installed") : Gettext.reason(code)
    return Failure(.unavailable, tr("cannot run \(program): \(reason)"))
  }
}

/// A failure as JSON: the name of the interface's error with its parameters, otherwise that of the exit status; then
/// the words.
struct FailureDocument: Encodable {
  private let error, message: String
  private let hint: String?
  private let parameters: JSONTree?

  init(_ failure: Failure) throws {
    let cause = failure.cause?.failure
    error = cause?.name ?? "\(failure.status)"
    (message, hint) = (failure.message, failure.hint)
    parameters = try cause.map { try JSONTree(JSON.bytes($0.parameters)) }
  }
}

/// The one place that knows exit codes, from sysexits(3) where possible. A code depends on the error, not on
/// the side that found it.
enum ExitStatus: Int32 {
  case success = 0
  /// eggd refused (no such alarm, wrong state, key in use, store unavailable), a question was not answered
  /// with yes, or output could not be written.
  case refused = 1
  case deleted = 2
  case usage = 64
  /// eggd, or a program that the verb runs, is missing.
  case unavailable = 69
  /// A bug in eggctl or eggd.
  case bug = 70
  /// The change was made, but its reply could not be written.
  case unwritten = 74
  case timeout = 75
  /// The server on the socket does not speak io.eggd.Schedule.
  case protocolError = 76
  /// The socket belongs to another user.
  case notPermitted = 77
  /// Ended by Control-C, or no label was entered when asked for.
  case interrupted = 130
}
