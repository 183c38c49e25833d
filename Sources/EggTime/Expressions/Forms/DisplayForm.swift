extension Scanner {
  /// Class 3: `YYYY. MM. DD. [HH:MM[:SS[.f]]] [ZONE]`, as ``DisplayFormat`` writes it. Blanks after points
  /// are optional.
  mutating func displayForm() throws(Misread) -> Form {
    let start = position
    guard let year = number(digits: 4...4), takes(".") else { throw stop }
    skipBlanks()
    let monthStart = position
    guard let month = number(digits: 1...2), takes(".") else { throw stop }
    skipBlanks()
    let dayStart = position
    guard let day = number(digits: 1...2), takes(".") else { throw stop }
    var form = CivilForm()
    form.date = try fullDate(
      year: year, month: month, day: day, offsets: (start, monthStart, dayStart))
    let bookmark = self
    if skipBlanks(), seesDigit { form.time = try time() } else { self = bookmark }
    form.zone = try zoneAfterBlank()
    return .civil(form)
  }
}
