import Foundation

/// Cost against size, each relative to an empty schedule, as an SVG. It brings its own ground, because a page's may be
/// another than what the reader prefers.
struct ScaleFigure {
  private let costs: [Scale.Costs]
  private let lines: [Line]
  private let plot = (left: 56.0, top: 30.0, width: 420.0, height: 240.0)
  /// The end of the upward axis.
  private let most: Double

  private struct Line {
    var name: String
    /// Of its dashes, so that it is told apart without its colour.
    var shape: String
    /// One for each size, relative to the first.
    var values: [Double]
    /// With the most that are stored.
    var last: String
  }

  /// The first is the empty schedule.
  init(_ costs: [Scale.Costs]) {
    self.costs = costs
    func line(_ name: String, _ shape: String, _ unit: String, _ value: (Scale.Costs) -> Double) -> Line {
      let values = costs.map(value)
      let relative = values.map { $0 / (values.first ?? 1) }
      return Line(
        name: name, shape: shape, values: relative, last: "\((values.last ?? .nan).grouped) \(unit)")
    }
    lines = [
      line("start to READY", "", "ms") { Sample.milliseconds($0.ready).median },
      line("one add", "8 3", "µs") { Sample.microseconds($0.add).median },
      line("one deletion", "2 3", "µs") { Sample.microseconds($0.delete).median },
      line("one ring", "10 3 2 3", "µs") { Sample.microseconds($0.ring).median },
      line("resident memory", "2 5", "MiB") { $0.resident },
    ]
    most = max(2, lines.flatMap(\.values).max()?.rounded(.up) ?? 2)
  }

  func write(to path: String) throws {
    try Written.write(Data(text.utf8), to: path)
  }

  private var text: String {
    """
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 740 320" font-family="sans-serif" font-size="12">
    <style>
    .ground { fill: #fff } text { fill: #222 } .line { stroke: #222 } path { fill: none; stroke-width: 2 }
    .c0 { stroke: #0b5cad } .c1 { stroke: #b3261e } .c2 { stroke: #1b7f3b } .c3 { stroke: #8a5a00 } .c4 { stroke: #6b3fa0 }
    .thin { stroke-width: 0.5 }
    @media (prefers-color-scheme: dark) { .ground { fill: #16191d } text { fill: #ddd } .line { stroke: #ddd }
    .c0 { stroke: #6db3f2 } .c1 { stroke: #ff8a80 } .c2 { stroke: #7bd88f } .c3 { stroke: #f0c060 } .c4 { stroke: #c9a7f5 } }
    </style>
    <title>Cost against the number of stored alarms, relative to an empty schedule</title>
    <rect class="ground" width="740" height="320" rx="6"/>
    <text x="\(text(plot.left))" y="18">cost, relative to an empty schedule</text>
    <text x="516" y="18">with \(costs.last?.name ?? "none")</text>
    \(axes)
    \(lines.indices.map(line).joined(separator: "\n"))
    </svg>

    """
  }

  /// Logarithmic from 1 000 on; the empty schedule lies left of that.
  private func x(_ index: Int) -> Double {
    let rows = Double(costs[index].rows)
    let place =
      rows == 0 ? 0 : 0.25 + 0.75 * log10(rows / 1000) / log10(Double(costs.last?.rows ?? 1_000_000) / 1000)
    return plot.left + plot.width * place
  }

  private func y(_ value: Double) -> Double { plot.top + plot.height * (1 - value / most) }

  private var axes: String {
    let bottom = plot.top + plot.height
    var parts = stride(from: 0, through: most, by: 0.5).map { value in
      """
      <path class="line thin" d="M\(text(plot.left)) \(text(y(value)))h\(text(plot.width))"/>\
      <text x="\(text(plot.left - 8))" y="\(text(y(value) + 4))" text-anchor="end">\(text(value))</text>
      """
    }
    for (index, cost) in costs.enumerated() {
      parts.append(
        "<text x=\"\(text(x(index)))\" y=\"\(text(bottom + 18))\" text-anchor=\"middle\">\(cost.name)</text>")
    }
    parts.append(
      """
      <text x="\(text(plot.left + plot.width / 2))" y="\(text(bottom + 38))" text-anchor="middle">\
      stored alarms</text>
      """)
    return parts.joined(separator: "\n")
  }

  private func line(_ index: Int) -> String {
    let line = lines[index]
    let points = line.values.enumerated().map { "\(text(x($0.offset))) \(text(y($0.element)))" }
    let key = plot.top + 14 + Double(index) * 22
    let style = "class=\"c\(index)\"" + (line.shape.isEmpty ? "" : " stroke-dasharray=\"\(line.shape)\"")
    return """
      <path \(style) d="M\(points.joined(separator: "L"))"/>
      <path \(style) d="M516 \(text(key))h30"/><text x="554" y="\(text(key + 4))">\(line.name): \(line.last)</text>
      """
  }

  /// One decimal.
  private func text(_ value: Double) -> String { String(format: "%.1f", value) }
}
