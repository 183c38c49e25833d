import ArgumentParser
import EggProtocol
import Glibc

/// `eggctl monitor`: every change as it happens.
struct Monitor: Verb {
  static let configuration = CommandConfiguration(
    commandName: "monitor", _superCommandName: Eggctl.name,
    abstract: "Print every change as a JSON line, until it is interrupted.",
    discussion: """
      eggctl monitor
      eggctl monitor | jq -c 'select(.new.state == "ringing") | .new.label'
      eggctl monitor --list

      {"ready":true,"sequence":7}     from here on every change is told
      {"new":{…},"sequence":8}        a new alarm
      {"new":{…},"old":{…},"sequence":9}  one that was changed, or rang
      {"old":{…},"sequence":10}       one that was deleted
      {"groups":[…],"sequence":11}    all groups, when one was made or changed
      {"sequence":12,"startOver":true}  what was known is to be read anew

      It is read anew after a change of very many alarms, when the clock was set,
      another program wrote the database, eggd salvaged it, or eggd was away.
      With --list groups and alarms come first, and again after startOver;
      "ready" tells the end of the list. Who applies every line in its order has
      the list as it is.

      eggd never waits for a reader: one that is 3 MiB behind loses its stream,
      and monitor says so and ends with status 1. While eggd is away monitor
      waits for it.
      """)

  @Flag(help: "Print the alarms that there are first.") var list = false

  func run(in surroundings: Surroundings) throws {
    let output = surroundings.output
    // A reader that has gone is an end like any other, noticed at the next look or the next line.
    if surroundings.reader != nil { signal(SIGPIPE, SIG_IGN) }
    let stream = try LiveStream(surroundings, SubscribeCall(pages: list ? nil : false))
    var isAnew = false
    do {
      while true {
        switch try stream.next() {
        case .message(let message):
          if isAnew { try output.data(MonitorLine(sequence: message.sequence, startOver: true).text()) }
          isAnew = false
          for line in MonitorLine.lines(of: message) { try output.data(line.text()) }
          try output.flush()
        case .refused(let error):
          throw Connection.failure(of: .refused(error), precondition: nil, surroundings)
        case .away: try output.hint("eggd is away; changes follow when it is back")
        case .back: isAnew = true
        case .time: break
        case .readerGone: return
        }
      }
    } catch let failure as Failure where failure == .unwritable(EPIPE) {
      return
    }
  }
}

/// One line of `eggctl monitor`.
struct MonitorLine: Encodable {
  var sequence: Int64
  var old: WireAlarm?
  var new: WireAlarm?
  var ready: Bool?
  var startOver: Bool?
  var groups: [WireGroup]?

  /// What one message of the subscription becomes.
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

  /// With the line's end.
  func text() throws -> String { try JSON.text(self) + "\n" }
}
