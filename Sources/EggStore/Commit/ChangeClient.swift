/// Which program asked for a change, and from where.
package struct ChangeClient: Hashable, Sendable {
  /// The program's name; nil where it is not known.
  package var name: String?
  /// Its session (setsid(2)): commands typed into one shell share it.
  package var session: Int64?

  /// All fields.
  package init(name: String?, session: Int64?) {
    self.name = name
    self.session = session
  }

  /// A person, on a notification.
  package static let bubble = ChangeClient(name: "a notification", session: nil)
}
