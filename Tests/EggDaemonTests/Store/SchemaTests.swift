import Alarms
import EggTestSupport
import EggTime
import Foundation
import GRDB
import Testing

@testable import EggDaemon

@Suite("Files of earlier versions")
struct SchemaTests {
  private static let fixture = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appending(path: "../../Fixtures/schedule-v1.db").standardizedFileURL

  @Test("A file of version 1 opens, and all of it is what it was")
  func version1() throws {
    let bench = try StoreBench { path in
      try FileManager.default.copyItem(at: Self.fixture, to: URL(fileURLWithPath: path))
    }
    let created = Instant(microseconds: 1_795_210_470_000_000)
    func id(_ digit: Int) throws -> AlarmID {
      try #require(AlarmID("00000000-0000-4000-8000-00000000000\(digit)"))
    }
    let page = try bench.list()
    #expect(
      page.alarms == [
        Alarm(
          number: 3, id: try id(3), label: "two soft ones", category: .soft, eggs: 2, position: 3 << 20,
          timing: .countdown(.seconds(390)), expression: "6m30s", readingZone: "Europe/Berlin",
          key: "breakfast", createdAt: created, due: .wall(created + .seconds(390))),
        Alarm(
          number: 5, id: try id(5), position: 5 << 20, summary: "Up!", body: "Now.", icon: "clock",
          timing: .countdown(.seconds(5)), expression: "5s", forcedKind: .in, readingZone: "UTC",
          state: .over,
          createdAt: created, modifiedAt: created + .seconds(1),
          latest: Occurrence(
            id: 1_795_210_475_000_100, dueAt: created + .seconds(5), outcome: .rung,
            firedAt: Instant(microseconds: 1_795_210_475_000_100),
            journaledAt: Instant(microseconds: 1_795_210_475_000_200),
            shownAt: Instant(microseconds: 1_795_210_475_000_300), lateness: TimeSpan(microseconds: 100),
            lateReason: .busy, bubble: 17, bubbleServer: ":1.42")),
        Alarm(
          number: 7, id: try id(7), position: 7 << 20,
          timing: .civil(
            CivilDateTime(year: 2026, month: 12, day: 24, hour: 18, microsecond: 250_000), zone: "Asia/Tokyo",
            floats: true), expression: "2026-12-24 18:00", readingZone: "Asia/Tokyo", createdAt: created,
          due: .wall(Instant(microseconds: 1_798_102_800_250_000))),
      ])
    #expect(page.sequence == 41)
    #expect(try bench.schedule().number == 10)
    #expect(try bench.submit(.schedule(bench.new(key: "breakfast", request: "request"))).existed)
  }

  @Test("A new file has the same tables as a frozen one that was brought up to date")
  func sameTables() throws {
    let old = try StoreBench { path in
      try FileManager.default.copyItem(at: Self.fixture, to: URL(fileURLWithPath: path))
    }
    let new = try StoreBench()
    let tables = "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name"
    let expected = try new.stranger().read { try String.fetchAll($0, sql: tables) }
    #expect(try old.stranger().read { try String.fetchAll($0, sql: tables) } == expected)
  }
}
