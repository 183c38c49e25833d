/// Why a verb failed, in words.
struct Failure: Error, Equatable {
  var status: ExitStatus
  /// One line, lower case, without a full stop.
  var message: String
  /// Printed below the message as it is: an expression with a caret under the place.
  var excerpt: String?
  /// What to do about it, usually the next command.
  var hint: String?

  init(_ status: ExitStatus, _ message: String, excerpt: String? = nil, hint: String? = nil) {
    self.status = status
    self.message = message
    self.excerpt = excerpt
    self.hint = hint
  }
}
