/// What notification servers do differently and do not tell, by the names that they give themselves.
package struct ServerHabits: Hashable, Sendable {
  /// A bubble on the screen loses its buttons when another text replaces its own (GNOME Shell 43).
  package var losesButtons: Bool
  /// The oldest bubbles are on the screen, and those that find no room are hidden (Plasma 5.27).
  package var hidesNewest: Bool

  package init(of server: String = "") {
    losesButtons = server == "gnome-shell"
    hidesNewest = server == "Plasma"
  }
}
