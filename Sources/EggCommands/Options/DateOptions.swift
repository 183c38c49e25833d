import ArgumentParser
import EggTime

/// How moments are shown; for every verb that shows one.
struct DateOptions: ParsableArguments {
  @Option(
    name: .customLong("date-format"),
    help: ArgumentHelp(
      "Show moments as 2026. 11. 20. 21:41:00 (dotted), as RFC 3339 (iso) or as the locale writes them.",
      valueName: "dotted|iso|locale"))
  var format: DateFormat?
}

extension DateFormat: ExpressibleByArgument {}

/// A verb that shows moments.
protocol DatedVerb: Verb {
  var dates: DateOptions { get }
}
