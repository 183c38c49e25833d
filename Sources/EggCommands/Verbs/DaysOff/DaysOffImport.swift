import Alarms
import ArgumentParser
import EggProtocol
import EggTime
import Gettext
import ICalendar

struct DaysOffImport: Verb {
  static let configuration = CommandConfiguration(
    "import", tr("Take days off from an iCalendar file."),
    discussion: """
      eggctl daysoff import holidays.ics
      eggctl daysoff import 공휴일.ics --name holidays

      Whole days of the file, for 30 years from today, replace the days off of that
      name. Without --name it is the file's name.
      """)

  @Argument(help: ArgumentHelp("The file; - for standard input.", valueName: "file"), completion: .file())
  var file: String
  @Option(help: "The name of the days off.", completion: .values(.daysOff)) var name: String?
  @Flag(name: .long, help: "Print the answer as one JSON document.") var json = false

  func run(in surroundings: Surroundings) throws {
    let name = try checkedName()
    let context = try surroundings.readingContext()
    let bytes = try ImportedText(file: file).calendar(upTo: Self.largest)
    let found = CalendarDays.read(bytes, from: try surroundings.today(), in: context)
    try surroundings.output.notes(
      found.problems.map(ImportProblem.init).map { tr("line \($0.line): \($0.text)") })
    guard !found.ranges.isEmpty else {
      throw Failure(.usage, tr("'\(file.visible)' has no whole days from today on; nothing was changed"))
    }
    guard found.ranges.count <= Limits.daysOff.ranges else {
      throw Failure(
        .usage,
        tr(
          "'\(file.visible)' has \(found.ranges.count) ranges of days; the limit is \(Limits.daysOff.ranges)")
      )
    }
    try surroundings.show(
      try Connection(surroundings).call(ImportDaysOffCall(name: name, days: found.ranges)), asJSON: json)
  }

  /// Bytes of the largest file.
  private static let largest = 64 << 20

  private func checkedName() throws -> String {
    guard name != nil || file != "-" else {
      throw Failure(.usage, tr("days off need a name"), hint: "eggctl daysoff import - --name holidays")
    }
    let last = file.split(separator: "/").last ?? ""
    let name = name ?? String(last.hasSuffix(".ics") ? last.dropLast(4) : last)
    try Failure.checkDaysOff(name)
    return name
  }
}
