import Foundation

/// Cost against size, each relative to an empty schedule, as an SVG that is legible on light and on dark.
struct ScaleFigure {
  private let costs: [Scale.Costs]
  private let lines: [(name: String, shape: String, values: [Double])]
  private let plot = (left: 56.0, top: 24.0, width: 420.0, height: 240.0, most: 2.0)

  /// The first is the empty schedule.
  init(_ costs: [Scale.Costs]) {
    self.costs = costs
    func relative(_ value: (Scale.Costs) -> Double) -> [Double] {
      let base = costs.first.map(value) ?? 1
      return costs.map { value($0) / base }
    }
    lines = [
      ("start to READY", "", relative { Sample.milliseconds($0.ready).median }),
      ("one add", "8 3", relative { Sample.microseconds($0.add).median }),
      ("one deletion", "2 3", relative { Sample.microseconds($0.delete).median }),
      ("one ring", "10 3 2 3", relative { Sample.microseconds($0.ring).median }),
      ("resident memory", "1 5", relative { $0.resident }),
    ]
  }

  func write(to path: String) throws {
    try text.write(toFile: path, atomically: true, encoding: .utf8)
  }

  private var text: String {
    """
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 310" font-family="sans-serif" font-size="12">
    <style>
    text { fill: #222 } .line { stroke: #222 } .c0 { stroke: #0b5cad } .c1 { stroke: #b3261e } .c2 { stroke: #1b7f3b }
    .c3 { stroke: #8a5a00 } .c4 { stroke: #6b3fa0 } path { fill: none; stroke-width: 2 } .thin { stroke-width: 0.5 }
    @media (prefers-color-scheme: dark) { text { fill: #ddd } .line { stroke: #ddd } .c0 { stroke: #6db3f2 }
    .c1 { stroke: #ff8a80 } .c2 { stroke: #7bd88f } .c3 { stroke: #f0c060 } .c4 { stroke: #c9a7f5 } }
    </style>
    <title>Cost against the number of stored alarms, relative to an empty schedule</title>
    <text x="\(plot.left)" y="14">cost, relative to an empty schedule</text>
    \(axes)
    \(lines.indices.map(line).joined(separator: "\n"))
    </svg>

    """
  }

  private func x(_ index: Int) -> Double {
    plot.left + plot.width * Double(index) / Double(max(1, costs.count - 1))
  }

  private func y(_ value: Double) -> Double {
    plot.top + plot.height * (1 - min(max(value, 0), plot.most) / plot.most)
  }

  private var axes: String {
    var parts = [0, 0.5, 1, 1.5, 2].map { value in
      """
      <path class="line thin" d="M\(plot.left) \(y(value))H\(plot.left + plot.width)"/>\
      <text x="\(plot.left - 8)" y="\(y(value) + 4)" text-anchor="end">\(value)</text>
      """
    }
    for (index, cost) in costs.enumerated() {
      let label = cost.rows == 0 ? "empty" : cost.rows.formatted(.number.locale(Locale(identifier: "fr_FR")))
      parts.append(
        "<text x=\"\(x(index))\" y=\"\(plot.top + plot.height + 18)\" text-anchor=\"middle\">\(label)</text>")
    }
    parts.append(
      """
      <text x="\(plot.left + plot.width / 2)" y="\(plot.top + plot.height + 38)" text-anchor="middle">\
      stored alarms</text>
      """)
    return parts.joined(separator: "\n")
  }

  private func line(_ index: Int) -> String {
    let line = lines[index]
    let points = line.values.enumerated().map { "\(x($0.offset)) \(y($0.element))" }
    let key = plot.top + 20 + Double(index) * 22
    let style = "class=\"c\(index)\" stroke-dasharray=\"\(line.shape)\""
    return """
      <path \(style) d="M\(points.joined(separator: " L"))"/>
      <path \(style) d="M490 \(key)h30"/><text x="526" y="\(key + 4)">\(line.name)</text>
      """
  }
}
