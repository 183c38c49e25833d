import Alarms
import EggProtocol
import EggTestSupport
import EggTime
import Foundation
import Testing
import Varlink

@testable import EggDaemon

@Suite("Again keeps every field of an alarm")
struct AgainRequestTests {
  private let rig: WireRig
  private let client: ScheduleClient

  init() throws {
    rig = try WireRig()
    client = try rig.connect()
  }

  /// What is the alarm's own, and what follows from reading its expression now.
  private static let own: Set<WireAlarm.Field> = [
    .due, .id, .key, .position, .createdAt, .modifiedAt, .doneAt, .doneDue, .remaining, .latest,
    .moment, .skips, .paused,
  ]

  private func members(of alarm: WireAlarm) throws -> [String: NSObject] {
    let object = try JSONSerialization.jsonObject(with: Data(try JSON.bytes(alarm)))
    return try #require(object as? [String: NSObject])
  }

  @Test("Each field but what is the alarm's own is the new alarm's, too")
  func everyField() throws {
    _ = try client.call(CreateGroupCall(name: "kitchen"))
    let day = try #require(DayRange("2030-01-01"))
    for name in ["holidays", "term"] { _ = try client.call(AddDaysOffCall(name: name, days: [day])) }
    let now = rig.clock.read().wall
    var full = ScheduleCall(
      expression: "*-*-* 07:30:00", kind: .every, label: "L", category: .hard, eggs: 3, group: "kitchen",
      manner: Manner(
        summary: "S", body: "B", icon: "I", note: "N", sound: "bell", insist: .seconds(60), run: "/bin/true",
        wake: true, unansweredAfter: .seconds(60), runUnanswered: "/bin/true"), key: "k",
      from: now + .seconds(86_400), until: now + .seconds(864_000), count: 4,
      anniversary: CivilDate(year: 2020, month: 2, day: 29), ifMissed: .ringWithin(.seconds(600)))
    full.zone = "Asia/Seoul"
    let others = [
      ScheduleCall(expression: "6m30s", kind: .in), ScheduleCall(expression: "2027-01-01 07:30"),
      ScheduleCall(expression: "2027-01-01T07:30:00Z"),
      ScheduleCall(expression: "every 3 days at 08:00"),
      ScheduleCall(
        expression: "*-*-* 09:30:00", leads: [.zero, try #require(Lead(days: 1))], except: ["holidays"]),
      ScheduleCall(expression: "*-*-* 09:30:00", onlyOn: ["term"]),
      ScheduleCall(
        expression: "DTSTART:20261123T073000 RRULE:FREQ=MONTHLY;BYSETPOS=-1;BYDAY=MO,TU", ifMissed: .record),
    ]
    var kept: Set<String> = []
    for call in [full] + others {
      let old = try client.call(call).alarm
      let new = try client.call(AgainCall(number: old.number)).alarm
      let (before, after) = (try members(of: old), try members(of: new))
      for name in Set(before.keys).union(after.keys).subtracting(Self.own.map(\.rawValue))
      where name != "number" {
        #expect(before[name] == after[name], "\(name) of \(call.expression)")
        kept.insert(name)
      }
    }
    let all = Set(WireAlarm.Field.allCases).subtracting(Self.own).map(\.rawValue)
    #expect(Set(all).subtracting(kept) == [], "no alarm here has these")
  }
}
