import Gettext
import Varlink

struct SyncText {
  private let output: Output
  private let json: Bool

  init(_ output: Output, json: Bool) { (self.output, self.json) = (output, json) }

  func print(_ report: Synchroniser.Report) throws {
    if json { return try output.data(JSON.text(report) + "\n") }
    try output.notes(report.conflicts + report.notes)
    try output.notes(report.problems)
    try output.data(Self.line(report) + "\n")
  }

  static func line(_ report: Synchroniser.Report) -> String {
    func part(_ what: String, _ count: Int) -> String? { count > 0 ? "\(what) \(count)" : nil }
    let here = [
      part(tr("added"), report.added), part(tr("changed"), report.changed),
      part(tr("deleted"), report.deleted), part(tr("answered"), report.answered),
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
