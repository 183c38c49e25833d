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

/// What is not read as a part of the time is refused: it does not begin a label.
private func check(_ words: [String], own: Int, in context: ReadingContext) {
  guard let found = TypedWords(words, as: nil, in: context) else { return }
  let rest = Array(found.words[found.count...])
  guard !rest.isEmpty, found.suspect == nil else { return }
  let hasClock = words[..<own].joined().contains(":") || words[..<own].joined().contains("pm")
  let countsOn =
    ["m", "minutes", "hours"].contains { words[own - 1].hasSuffix($0) } || found.time.kind != .span
  // Behind a whole time the first word decides; `the` and its like aside.
  let shared: Set = ["the", "a", "to", "in", "at"]
  let deciding =
    rest.count > 1 ? rest.prefix((rest.firstIndex { !shared.contains($0) } ?? rest.count - 1) + 1) : rest[...]
  // Behind a day or a part of the day, words of another one do not fit: `내일 아침 7시 아침 약`.
  let isClockAlone = own == 1 && hasClock
  // `one egg`
  let counted = rest.dropFirst().first { !shared.contains($0) }
  let isCount = counted.map { neutral.contains($0) || !hasClock && zoneNames.contains($0) } ?? false
  let half = deciding.enumerated().first { index, word in
    isClockAlone && vocabulary.contains(word) && !neutral.contains(word)
      && (!joining.contains(word) || index == rest.count - 1 || index == 0 && word != "at")
      && (index == 0 && countsOn && found.count == own && !isCount || !numbers.contains(word))
  }?.element
  if let half {
    fatalError("'\(found.time.text)' and the label '\(rest)': '\(half)' is a word of time")
  }
  // A time that was whole by itself is not cut where no word of time stands behind it.
  if found.count < own { fatalError("'\(words[..<own])' is cut to '\(found.time.text)'") }
}

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
  "eggs", "tea", "call", "mom", "pizza", "and", "the", "a", "to", "in", "달걀", "전화",
]

/// These are words of time behind a time of day alone.
private let zoneNames: Set<String> = [
  "UTC+9", "GMT-5", "(EST)", "EST,", "uk", "EST", "est", "CEST", "KST", "GMT", "utc", "Europe/Paris",
  "Europe/Pariss", "Turkey", "posixrules",
]

/// Between other words these are common in any text: `tea after pizza`.
private let joining: Set<String> = ["past", "after", "from", "at"]

/// These go on with a time right before them alone: `1 hour thirty`.
private let numbers: Set<String> = ["ten", "twenty", "sixty"]

private let vocabulary =
  neutral.sorted() + zoneNames.sorted() + numbers.sorted() + [
    "am", "pm", "a.m.", "p.m.", "AM", "PM", "minute", "minutes", "mins", "hours", "hrs", "secs", "days",
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
    "wendesday", "mondya", "evning", "hour", "horus", "o'clock", "past", "after", "from", "at",
    "오전", "오후", "아침", "저녁", "밤", "시", "3시", "반", "분", "5분", "내일", "모레", "오늘", "월요일", "매일", "다음", "뒤", "후",
    "1월", "20일", "2027년",
  ]
