/// Why a verb did not do what was asked, ready to be told.
struct Failure: Error, Equatable {
  var status: ExitStatus
  /// One line, lower case, without a full stop.
  var message: String
  /// Lines that go under the message as they are: an expression and the caret under the place.
  var excerpt: String?
  /// What to do about it, mostly the next command to type.
  var hint: String?

  init(_ status: ExitStatus, _ message: String, excerpt: String? = nil, hint: String? = nil) {
    self.status = status
    self.message = message
    self.excerpt = excerpt
    self.hint = hint
  }
}
