import ArgumentParser
import EggProtocol
import Gettext

struct Hungry: DatedAnswerVerb {
  static let configuration = CommandConfiguration(
    "hungry", tr("Schedule an alarm in five seconds."),
    discussion: "eggctl hungry")

  @OptionGroup var answer: DatedAnswerOptions

  func run(in surroundings: Surroundings) throws {
    let form = try answer.form()
    let reply = try Connection(surroundings).call(
      ScheduleCall(expression: "5s", zone: try surroundings.zoneName()))
    try surroundings.show(reply.alarm, base: reply.alarm.createdAt, as: form)
  }
}
