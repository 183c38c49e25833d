import ArgumentParser
import EggTime
import Gettext

struct Now: Verb {
  static let configuration = CommandConfiguration(
    "now", tr("Show the current time."),
    discussion: "eggctl now")

  @Option(help: .dateFormat) var dateFormat: DateFormat?
  @Flag(help: "Print microseconds since the epoch and the zone as JSON.")
  var json = false

  func run(in surroundings: Surroundings) throws {
    struct Answer: Encodable {
      var now: Instant
      var zone: String
    }
    let moments = try Moments(surroundings)
    let answer = Answer(now: moments.now, zone: moments.zone.identifier)
    try surroundings.output.answer(json ? .json : .text, json: answer, numbers: []) {
      moments.text(moments.now) + "\n"
    }
  }
}
