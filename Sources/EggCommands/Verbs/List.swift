import Alarms
import ArgumentParser
import EggProtocol

/// `eggctl list`: every alarm, those that have rung included.
struct List: Verb {
  static let configuration = CommandConfiguration(
    commandName: "list", _superCommandName: Eggctl.name,
    abstract: "Show alarms in the order of the list, with their totals.",
    discussion: """
      eggctl
      eggctl list --sort due
      eggctl list --today
      eggctl list --category soft --group Sunday --due-before friday
      eggctl list --rung -q | xargs -r -n 1000 eggctl delete

      ↻ before a label marks a recurring alarm; eggctl show tells its rule.
      Alarms that have rung stay until they are deleted. What is listed passes
      every filter that is given; the totals are of exactly that.
      """)

  @Option(help: "The order: position (eggctl move), due (the next to ring first), created or label.")
  var sort: ListOrder = .position
  @OptionGroup var wanted: ListOptions
  @OptionGroup var answer: AnswerOptions

  func run(in surroundings: Surroundings) throws {
    let form = try answer.form()
    let output = surroundings.output
    let fields: [WireAlarm.Field]? =
      switch form {
      case .text: WireAlarm.Field.allCases.filter(WireAlarm.listed.contains)
      case .json: nil
      case .numbers: []
      }
    var table = ListTable(AlarmText(moments: try Moments(surroundings)), colours: output.colours.data)
    var document = JSON.ArrayDocument(name: "alarms")
    var isEmpty = true
    var call = ListCall(order: sort, fields: fields)
    try wanted.apply(to: &call, in: surroundings)
    try Connection(surroundings).pages(call) { page in
      if !page.alarms.isEmpty { isEmpty = false }
      switch form {
      case .text: if !page.alarms.isEmpty { try output.data(table.page(page)) }
      case .json:
        try output.data(document.elements(page.alarms))
        if page.after == nil { try output.data(document.end("totals", page.totals) + "\n") }
      case .numbers: try output.data(page.alarms.map { "\($0.number)\n" }.joined())
      }
    }
    if isEmpty, form == .text, wanted.isSet {
      try output.data("no alarm passes the filter\n")
      try output.hint("eggctl list")
    } else if isEmpty, form == .text {
      try output.data("no alarms yet\n")
      try output.hint("eggctl schedule 6m30s \"two soft ones\"")
    }
  }
}

extension ListOrder: ExpressibleByArgument {}
