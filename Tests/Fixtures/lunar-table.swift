// lunar-table.swift - prints the table of Sources/EggTime/Lunar/LunarTable.swift from Foundation's Dangi calendar.
//
// usage: swift Tests/Fixtures/lunar-table.swift
import Foundation

guard let korea = TimeZone(identifier: "Asia/Seoul") else { fatalError("no zone Asia/Seoul") }
var calendar = Calendar(identifier: .dangi)
calendar.timeZone = korea

/// The calendar's month and day at noon, because a day of Korean summer time may begin at 01:00.
func date(_ day: Int) -> (month: Int, day: Int, isLeap: Bool) {
  let noon = Date(timeIntervalSince1970: Double(day) * 86_400 + 3 * 3_600)
  let parts = calendar.dateComponents([.month, .day, .isLeapMonth], from: noon)
  return (parts.month ?? 0, parts.day ?? 0, parts.isLeapMonth ?? false)
}

/// 1900-01-31, in days since 1970-01-01.
var day = -25_537
for year in 1900...2100 {
  var (long, leap, place) = (0, 0, 0)
  var month = date(day)
  guard month == (1, 1, false) else { fatalError("\(year) begins on another day") }
  repeat {
    let first = day
    repeat { day += 1 } while date(day).day != 1
    guard (29...30).contains(day - first) else { fatalError("\(year): a month of \(day - first) days") }
    if day - first == 30 { long |= 1 << place }
    if month.isLeap { leap = month.month }
    place += 1
    month = date(day)
  } while month.month != 1 || month.isLeap
  print("    0x\(String(leap << 13 | long, radix: 16)),  // \(year)")
}
