import Gettext

/// ArgumentParser's own texts in the user's language.
enum ParserText {
  /// A help page with its headings and the lines that ArgumentParser adds.
  static func help(_ page: String) -> String {
    let lines = page.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      if let footer = line.firstMatch(of: #/See ' help eggctl (.*)' for detailed help\./#) {
        return "  " + tr("See '\("eggctl help \(footer.1)")' for detailed help.")
      }
      guard let heading = headings.first(where: { line.hasPrefix($0.text) }) else { return String(line) }
      // The empty parent of ``Eggctl`` leaves one blank more.
      let rest = line.dropFirst(heading.text.count).drop { $0 == " " }
      return broken(rest.isEmpty ? tr(heading) : "\(tr(heading)) \(rest)")
    }
    return remarks.reduce(lines.joined(separator: "\n")) { $0.replacing($1.text, with: tr($1)) }
  }

  /// A usage that is longer than a line, broken before an option or a choice.
  private static func broken(_ usage: String) -> String {
    var text = ""
    var width = 0
    for (index, part) in usage.split(separator: #/ (?=[\[(])/#, omittingEmptySubsequences: false).enumerated()
    {
      let part = index == 0 ? part : " " + part
      let breaks = width > 0 && width + part.displayWidth > 80
      text += (breaks ? "\n      " : "") + part
      width = (breaks ? 6 : width) + part.displayWidth
    }
    return text
  }

  private static let headings: [Phrase] = [
    Phrase("OVERVIEW:"), Phrase("USAGE:"), Phrase("ARGUMENTS:"), Phrase("OPTIONS:"), Phrase("SUBCOMMANDS:"),
  ]
  private static let remarks: [Phrase] = [
    Phrase("Show the version."), Phrase("Show help information."),
    Phrase("Show subcommand help information."),
  ]

  /// A mistake in lower case, without a full stop. Those that ``mistakes(_:)`` lacks stay English.
  static func inOwnLanguage(_ mistake: String) -> String {
    let parts = mistake.split(separator: "; give one of ", maxSplits: 1)
    let reason = tr(received: String(parts.first ?? ""))
    guard parts.count == 2 else { return reason }
    return tr("\(reason); give one of \(parts[1].replacing(" or ", with: tr(" or ")))")
  }

  /// ArgumentParser's sentences, so that catalogues have them; any value stands for what is quoted.
  private static func mistakes(_ any: String) -> [Phrase] {
    [
      Phrase("unknown option '\(any)'"), Phrase("missing value for '\(any)'"),
      Phrase("unexpected argument '\(any)'"), Phrase("2 unexpected arguments: '\(any)', '\(any)'"),
      Phrase("missing expected argument '\(any)'"), Phrase("missing one of: '\(any)', '\(any)'"),
      Phrase("missing required subcommand"), Phrase("the value '\(any)' is invalid for '\(any)'"),
      Phrase("the option '\(any)' does not take any value, but '\(any)' was specified"),
      Phrase("value to be set with flag '\(any)' had already been set with flag '\(any)'"),
    ]
  }
}
