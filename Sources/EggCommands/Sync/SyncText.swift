import Gettext
import Varlink

extension Output {
  func print(_ report: Synchroniser.Report, asJSON json: Bool) throws {
    if json { return try data(JSON.text(report) + "\n") }
    try notes(report.conflicts + report.notes)
    try notes(report.problems)
    try data(report.line + "\n")
  }
}

extension Synchroniser.Report {
  /// `list: added 1 · folder: changed 2`
  var line: String {
    func part(_ what: String, _ count: Int) -> String? { count > 0 ? "\(what) \(count)" : nil }
    let here = [
      part(tr("added"), added), part(tr("changed"), changed), part(tr("deleted"), deleted),
      part(tr("answered"), answered),
    ].compactMap(\.self)
    let there = [
      part(tr("added"), filesAdded), part(tr("changed"), filesChanged), part(tr("deleted"), filesDeleted),
    ].compactMap(\.self)
    var parts: [String] = []
    if !here.isEmpty { parts.append(tr("list: \(here.joined(separator: ", "))")) }
    if !there.isEmpty { parts.append(tr("folder: \(there.joined(separator: ", "))")) }
    return parts.isEmpty ? tr("list and folder are equal") : parts.joined(separator: " · ")
  }
}
