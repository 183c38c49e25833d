import Gettext
import Varlink

/// Tells what synchronising did.
struct SyncText {
  private let output: Output
  private let json: Bool

  init(_ output: Output, json: Bool) { (self.output, self.json) = (output, json) }

  func print(_ report: Synchroniser.Report) throws {
    if json { return try output.data(JSON.text(report) + "\n") }
    try tell(report.conflicts)
    try tell(report.problems)
    try output.data(Self.line(report) + "\n")
  }

  private static let most = 20

  func tell(_ notes: [String]) throws {
    for note in notes.prefix(Self.most) { try output.note(note) }
    if notes.count > Self.most { try output.note(tr("and \(notes.count - Self.most) more")) }
  }

  static func line(_ report: Synchroniser.Report) -> String {
    func part(_ what: String, _ count: Int) -> String? { count > 0 ? "\(what) \(count)" : nil }
    let here = [
      part(tr("added"), report.added), part(tr("changed"), report.changed),
      part(tr("deleted"), report.deleted),
    ].compactMap(\.self)
    let there = [
      part(tr("added"), report.filesAdded), part(tr("changed"), report.filesChanged),
      part(tr("deleted"), report.filesDeleted),
    ].compactMap(\.self)
    var parts: [String] = []
    if !here.isEmpty { parts.append(tr("list: \(here.joined(separator: ", "))")) }
    if !there.isEmpty { parts.append(tr("folder: \(there.joined(separator: ", "))")) }
    return parts.isEmpty ? tr("list and folder are equal") : parts.joined(separator: " · ")
  }
}
