import Foundation

/// Results as lines for people, 107 columns at most. What stands beside a figure has a line of its own below it, with the
/// ratio of the two.
struct Table {
  /// Escape sequences are for terminals (isatty(3)), unless NO_COLOR is set.
  var isColoured: Bool

  static var ofProcess: Table {
    let environment = ProcessInfo.processInfo.environment
    return Table(
      isColoured: isatty(1) == 1 && (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb")
  }

  var head: String { colour(line("", "measured", "middle half (of)", "ratio", "mark", ""), .bold) }

  /// What is under way, and for how long.
  func title(_ benchmark: Benchmark) -> String {
    "\n" + colour(benchmark.name, .bold) + "  " + benchmark.summary
      + " (\(Self.span(Double(benchmark.seconds))))"
  }

  func body(_ report: Report) -> String {
    var lines = report.rows.flatMap(self.lines)
    lines += report.notes.map { Self.wrapped($0) }
    lines += report.missing.map { colour(Self.wrapped("not measured: \($0)"), .yellow) }
    lines += report.failed.map { colour(Self.wrapped("FAILED: \($0)"), .red) }
    lines.append("  took \(Self.span(report.seconds))")
    return lines.joined(separator: "\n")
  }

  /// What a whole run comes to.
  func foot(_ results: Results) -> String {
    let marks = results.reports.flatMap { report in
      report.rows.flatMap(\.marks).map { (name: "\(report.benchmark): \($0.name)", isMet: $0.isMet) }
    }
    var lines = [
      "", "\(marks.count { $0.isMet }) of \(marks.count) marks are met, in \(Self.span(results.seconds)).",
    ]
    lines += marks.filter { !$0.isMet }.map { colour("MISSED", .red) + "  \($0.name)" }
    for report in results.reports {
      lines += report.missing.map { colour("not measured", .yellow) + "  \(report.benchmark): \($0)" }
    }
    for report in results.reports {
      lines += report.failed.map { colour("FAILED", .red) + "  \(report.benchmark): \($0)" }
    }
    return lines.joined(separator: "\n")
  }

  private func lines(_ row: Row) -> [String] {
    let above = row.beside.first { $0.isAbove }
    var marks = Self.marks(row.atMost, row.atLeast, row.unit)
    var verdict = row.isMet
    if let above {
      marks += Self.marks(above.atMost, above.atLeast, "×")
      verdict = row.marks.isEmpty ? nil : row.marks.allSatisfy(\.isMet)
    }
    let own = line(
      "  " + row.subject, Self.figure(row.measured, row.unit), Self.spread(row.sample, row.part),
      above.map { row.ratio(to: $0).asRatio } ?? "", marks.joined(separator: ", "), self.verdict(verdict))
    return [own]
      + row.beside.filter { !$0.isAbove }.map { other in
        line(
          "    beside \(other.name)", Self.figure(row.part.of(other.sample), row.unit),
          Self.spread(other.sample, row.part),
          row.ratio(to: other).asRatio, Self.marks(other.atMost, other.atLeast, "×").joined(separator: ", "),
          self.verdict(row.isMet(beside: other)))
      }
  }

  /// Below each other, where it is longer than a line.
  private static func wrapped(_ text: String) -> String {
    var lines = [" "]
    for word in text.split(separator: " ") {
      if lines[lines.count - 1].count + word.count > 105 { lines.append("   ") }
      lines[lines.count - 1] += " " + word
    }
    return lines.joined(separator: "\n")
  }

  private static func marks(_ most: Double?, _ least: Double?, _ unit: String) -> [String] {
    (most.map { ["≤ " + figure($0, unit)] } ?? []) + (least.map { ["≥ " + figure($0, unit)] } ?? [])
  }

  private static func figure(_ value: Double, _ unit: String) -> String {
    unit.isEmpty ? value.grouped : "\(value.grouped) \(unit)"
  }

  /// The middle half says nothing of a part at the edge.
  private static func spread(_ sample: Sample, _ part: Row.Part) -> String {
    let count = sample.values.count
    guard count > 1 else { return "" }
    guard part == .median else { return "(\(count))" }
    return "\(sample.quantile(0.25).grouped) – \(sample.quantile(0.75).grouped) (\(count))"
  }

  private func verdict(_ isMet: Bool?) -> String {
    isMet.map { $0 ? colour("ok", .green) : colour("MISSED", .red) } ?? ""
  }

  private func line(
    _ what: String, _ measured: String, _ spread: String, _ ratio: String, _ mark: String, _ verdict: String
  ) -> String {
    let cells = [(measured, 12), (spread, 22), (ratio, 8), (mark, 17)]
    var text = what + String(repeating: " ", count: max(0, 40 - what.count))
    for (cell, width) in cells { text += String(repeating: " ", count: max(1, width - cell.count)) + cell }
    if verdict.isEmpty { while text.last == " " { text.removeLast() } }
    return verdict.isEmpty ? text : "\(text)  \(verdict)"
  }

  private enum Colour: String {
    case bold = "1"
    case red = "1;31"
    case green = "32"
    case yellow = "33"
  }

  private func colour(_ text: String, _ colour: Colour) -> String {
    isColoured ? "\u{1B}[\(colour.rawValue)m\(text)\u{1B}[0m" : text
  }

  /// A time in s for people.
  static func span(_ seconds: Double) -> String {
    let whole = Int(seconds.rounded())
    return whole < 60 ? "\(whole) s" : "\(whole / 60) min \(whole % 60) s"
  }
}

extension Double {
  /// As short as it can be read: thousands apart, one decimal below 100, two below 10, none of a whole number.
  var grouped: String {
    guard isFinite else { return "-" }
    let places = self == rounded() || abs(self) >= 100 ? 0 : abs(self) >= 10 ? 1 : 2
    var digits = Array(String(format: "%.\(places)f", abs(self)))
    var index = (digits.firstIndex(of: ".") ?? digits.count) - 3
    while index > 0 {
      digits.insert(" ", at: index)
      index -= 3
    }
    return (self < 0 ? "-" : "") + String(digits)
  }

  /// With two digits that tell something, however small.
  var asRatio: String {
    guard isFinite, self > 0, self < 0.1 else { return grouped }
    return String(format: "%.*f", Int((-Foundation.log10(self)).rounded(.up)) + 1, self)
  }
}
