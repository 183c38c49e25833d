import ArgumentParser
import EggProtocol
import Gettext
import Varlink

struct DaysOffVerb: VerbWord {
  static let configuration = CommandConfiguration(
    "daysoff", tr("Add, show and delete days off, on which alarms keep quiet."),
    discussion: """
      eggctl daysoff add "24 dec" --until "2 jan" --name trip
      eggctl daysoff import holidays.ics
      eggctl schedule weekdays 7:00 "get up" --except holidays --except trip
      eggctl edit 12 --only-on holidays
      eggctl daysoff
      eggctl daysoff list trip

      Days off are whole days with a name. Recurring alarms that name them move at
      once when they change. The day of an alarm's moment counts, not that of a ring
      before it (--before).
      """,
    subcommands: [
      DaysOffList.self, DaysOffAdd.self, DaysOffImport.self, DaysOffRename.self, DaysOffDelete.self,
    ],
    defaultSubcommand: DaysOffList.self)
}

extension Surroundings {
  /// `trip: 10 days, the next on 24 Dec · moved 2 alarms`
  func show(_ reply: DaysOffReply, asJSON json: Bool) throws {
    if json { return try output.data(JSON.text(reply) + "\n") }
    let (days, moments) = (reply.daysOff, try Moments(self))
    var text = "\(days.name.visible): \(Counted.days(days.count))"
    if let next = days.next { text += tr(", the next on \(moments.text(next))") }
    if reply.moved > 0 { text += tr(" · moved \(Counted.alarms(reply.moved))") }
    try output.data(text + "\n")
    if days.alarms == 0 {
      try output.hint("eggctl edit \(tr("NUMBER")) --except \(days.name.shellQuoted)")
    }
  }
}
