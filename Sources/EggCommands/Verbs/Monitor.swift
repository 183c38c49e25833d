import ArgumentParser
import EggProtocol
import Gettext
import Varlink

struct Monitor: Verb {
  static let configuration = CommandConfiguration(
    "monitor", tr("Print every change as a JSON line, until interrupted."),
    discussion: """
      eggctl monitor
      eggctl monitor | jq -c 'select(.new.state == "ringing") | .new.label'
      eggctl monitor --list

      {"ready":true,"sequence":7}     every change follows
      {"new":{…},"sequence":8}        a new alarm
      {"new":{…},"old":{…},"sequence":9}  a changed or ringing alarm
      {"old":{…},"sequence":10}       a deleted alarm
      {"groups":[…],"sequence":11}    all groups, whenever one changes
      {"sequence":12,"startOver":true}  read the list again

      startOver comes after a change of very many alarms, when the clock was set,
      when another program wrote the database, when eggd salvaged it, and when eggd
      was away. With --list, groups and alarms come first, and again after
      startOver; "ready" ends them. Applying each line in order gives the current
      list.

      eggd does not wait for a slow reader: one that falls 3 MiB behind loses its
      stream, and monitor says so and exits with 1. While eggd is away, monitor
      waits for it.
      """)

  @Flag(help: "Print the existing alarms first.") var list = false

  func run(in surroundings: Surroundings) throws {
    let output = surroundings.output
    var isAnew = false
    try surroundings.follow(SubscribeCall(pages: list ? nil : false)) { event, _ in
      switch event {
      case .message(let message):
        let anew = isAnew ? [MonitorLine(sequence: message.sequence, startOver: true)] : []
        isAnew = false
        for line in anew + MonitorLine.lines(of: message) { try output.data(JSON.text(line) + "\n") }
        try output.flush()
      case .refused(let error):
        throw Connection.failure(of: .refused(error), precondition: nil, surroundings)
      case .away: try output.hint(tr("eggd is away; changes follow when it is back"))
      case .back: isAnew = true
      case .time, .readable, .readerGone: break
      }
    }
  }
}

struct MonitorLine: Encodable {
  var sequence: Int64
  var old: WireAlarm?
  var new: WireAlarm?
  var ready: Bool?
  var startOver: Bool?
  var groups: [WireGroup]?

  static func lines(of message: SubscribeReply) -> [MonitorLine] {
    switch message.part {
    case .page: (message.alarms ?? []).map { MonitorLine(sequence: message.sequence, new: $0) }
    case .change: [MonitorLine(sequence: message.sequence, old: message.old, new: message.new)]
    case .startOver: [MonitorLine(sequence: message.sequence, startOver: true)]
    case .groups: message.groups.map { [MonitorLine(sequence: message.sequence, groups: $0)] } ?? []
    case .ready: [MonitorLine(sequence: message.sequence, ready: true)]
    case .other: []
    }
  }
}
