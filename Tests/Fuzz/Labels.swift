import EggTime

/// The bytes choose a time, words of time and other words behind it, and the zone: no word of time begins a label.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let input = UnsafeBufferPointer(start: start, count: count)
  guard count >= 3 else { return 0 }
  let context = ReadingContext(
    now: Instant(microseconds: 1_795_522_830_000_000), zone: zones[Int(input[0]) % zones.count])
  var words = times[Int(input[1]) % times.count].split(separator: " ").map(String.init)
  let own = words.count
  for byte in input.dropFirst(2).prefix(4) { words.append(vocabulary[Int(byte) % vocabulary.count]) }
  check(words, own: own, in: context)
  return 0
}

/// Behind a complete time the first word decides: one that could go on with the time begins no label.
private func check(_ words: [String], own: Int, in context: ReadingContext) {
  guard let found = TypedWords(words, as: nil, in: context), let label = found.label, found.suspect == nil
  else { return }
  let time = found.time.text
  func fail(_ reason: String) -> Never { fatalError("'\(time)' and the label '\(label)': \(reason)") }
  let rest = Array(found.words[found.count...])
  guard !rest.isEmpty else {
    // The label stood within the time.
    let half = label.split(separator: " ").first { ofTime.contains(String($0)) }
    return half.map { fail("'\($0)' is a word of time") } ?? ()
  }
  // A time that was whole by itself is not cut.
  if found.count < own { fail("the time is cut") }
  if !rest.contains(where: { !joining.contains($0) && !ofTime.contains($0) }) {
    fail("it has words of time alone")
  }
  let first = rest.firstIndex { !joining.contains($0) } ?? 0
  if rest[first].first?.isNumber ?? false, !isNoTime(rest[first]) { fail("it begins with a number") }
  let hasClock = ["pm", ":"].contains(where: words[..<own].joined(separator: " ").contains)
  if hasClock, zoneNames.contains(rest[first]) { fail("it begins with a zone") }
  let behind = rest[first...].firstIndex { !joining.contains($0) && !counting.contains($0) } ?? rest.count - 1
  if let whole = continued(time, by: rest[...behind], in: context) { fail("the time goes on as '\(whole)'") }
  for start in rest.indices.dropFirst() {
    // A zone belongs to a time of day alone.
    if !hasClock, rest[start...].contains(where: zoneNames.contains) { continue }
    let whole = ([time] + rest[start...]).joined(separator: " ")
    if isRead(whole, as: found.time.kind, in: context) { fail("its end is read in '\(whole)'") }
  }
}

/// `3x`: a number together with letters that say nothing of time.
private func isNoTime(_ word: String) -> Bool {
  let letters = String(word.drop(while: \.isNumber))
  return !letters.isEmpty && letters.allSatisfy(\.isLetter) && !TypedWords.mayBeTime(letters)
    && !["st", "nd", "rd", "th"].contains(letters)
}

/// A time with these words, and at most one more, whatever day it is; nil when there is none.
private func continued(_ time: String, by words: ArraySlice<String>, in context: ReadingContext) -> String? {
  guard let last = words.last, joining.contains(last) || ofTime.contains(last) else { return nil }
  let text = ([time] + words.map { meant[$0] ?? $0 }).joined(separator: " ")
  if let known = continuations[text] { return known }
  let longer = [text] + vocabulary.map { "\(text) \($0)" }
  let found = longer.first { isRead($0, as: nil, in: context) }
  continuations[text] = .some(found)
  return found
}

/// Whether the text is a time whatever day it is: `tomorrow on friday` is one on some.
private func isRead(_ text: String, as kind: ExpressionKind?, in context: ReadingContext) -> Bool {
  (0..<7).allSatisfy { day in
    var context = context
    context.now = context.now + .seconds(Int64(day) * 100 * 86_400)
    guard let time = TimeExpression.ifRead(text, in: context) else { return false }
    return kind == nil || time.kind == kind
  }
}

/// Of the texts that were asked about. libFuzzer has one thread.
nonisolated(unsafe) private var continuations: [String: String?] = [:]

private let zones = ["UTC", "Europe/Paris", "America/New_York", "Asia/Seoul"].map {
  (try? Zone.named($0)) ?? .utc
}

private let times = [
  "10m", "1h30m", "2 hours", "90 s", "1 month", "in 20 minutes", "an hour and a half", "5pm", "07:30",
  "7:30 p.m.",
  "tomorrow", "tomorrow 07:30", "friday", "next friday 9am", "on the 15th", "march 1st", "1 march 2027",
  "2027-12-24", "2027-12-24 18:00", "2027. 12. 24. 18:00", "daily", "every monday 9:00", "every 20m",
  "Mon..Fri 07:30",
  "noon", "tonight at 11", "end of month", "now + 1 day", "5분 뒤", "내일 아침 7시", "매일 07:30", "다음 주 월요일 9시",
]

/// What may stand in a label.
private let neutral: Set<String> = [
  "eggs", "tea", "call", "mom", "pizza", "and", "the", "a", "to", "in", "at", "달걀", "전화",
]

/// These belong to the time behind a time of day.
private let zoneNames: Set<String> = [
  "UTC+9", "GMT-5", "(EST)", "EST,", "uk", "EST", "est", "CEST", "KST", "GMT", "utc", "Europe/Paris",
  "Europe/Pariss", "Turkey", "posixrules",
]

/// The word behind these decides.
private let joining: Set<String> = ["the", "a", "to", "in", "at", "and"]

/// Likewise: `two eggs`, `first class`, `march 7`, `morning run`.
private let counting: Set<String> = [
  "morning", "afternoon", "evening", "night", "아침", "저녁", "밤", "ten", "twenty", "sixty", "first", "second",
  "third", "january", "jan", "march", "december",
]

/// What mistyped words are meant as.
private let meant = [
  "tomorow": "tomorrow", "tommorow": "tomorrow", "mintues": "minutes", "minuts": "minutes",
  "febuary": "february", "wendesday": "wednesday", "mondya": "monday", "evning": "evening", "horus": "hours",
]

private let ofTime = Set(vocabulary).subtracting(neutral).subtracting(zoneNames)

private let vocabulary =
  neutral.sorted() + zoneNames.sorted() + [
    "ten", "twenty", "sixty", "am", "pm", "a.m.", "p.m.", "AM", "PM", "minute", "minutes", "mins", "hours",
    "hrs", "secs", "days",
    "week", "weeks",
    "month", "years", "monday", "mondays", "fri", "Fri,", "sunday", "weekdays", "january", "jan", "march",
    "december",
    "morning", "afternoon", "evening", "night", "tonight", "noon", "midnight", "next", "last", "every",
    "daily",
    "today", "tomorrow", "yesterday", "first", "second", "third", "15th", "half", "quarter", "ago", "later",
    "now",
    "(tomorrow)", "*tomorrow", "next-week", "fri/", "'27", "tomorrow's", "fortnightly", "tmrw", "everyday",
    "7", "0730", "19h30", "7:5", "25:00", "3x", "+09:00", "+5min", "-2", "@5", "tomorow", "tommorow",
    "mintues", "minuts", "febuary",
    "wendesday", "mondya", "evning", "hour", "horus", "o'clock", "past", "after", "from",
    "오전", "오후", "아침", "저녁", "밤", "시", "3시", "반", "분", "5분", "내일", "모레", "오늘", "월요일", "매일", "다음", "뒤", "후",
    "1월", "20일", "2027년",
  ]
