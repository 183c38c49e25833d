/// The program that requested a change.
package struct ChangeClient: Hashable, Sendable {
  /// nil if unknown.
  package var name: String?
  /// Its session (setsid(2)), shared by all commands of one shell.
  package var session: Int64?

  package init(name: String?, session: Int64?) {
    self.name = name
    self.session = session
  }

  /// The user, on a notification.
  package static let bubble = ChangeClient(name: "a notification", session: nil)
}
