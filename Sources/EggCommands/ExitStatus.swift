/// The one place that knows exit codes; sysexits(3) where it has one. They follow the error, whichever
/// side found it.
enum ExitStatus: Int32 {
  case success = 0
  /// eggd refused: no such alarm, wrong state, key in use, store unavailable; or a question was not answered with yes, or
  /// output could not be written.
  case refused = 1
  /// What was waited for was deleted.
  case deleted = 2
  /// What was typed cannot be read.
  case usage = 64
  /// eggd, or a program that a verb runs, is not there.
  case unavailable = 69
  /// A fault of eggctl or eggd itself.
  case bug = 70
  /// The change was made, but its reply could not be written.
  case unwritten = 74
  /// No answer in time.
  case timeout = 75
  /// What listens on the socket does not speak io.eggd.Schedule.
  case protocolError = 76
  /// The socket belongs to somebody else.
  case notPermitted = 77
  /// Ended by Control-C, or a label that was asked for was not given.
  case interrupted = 130
}
