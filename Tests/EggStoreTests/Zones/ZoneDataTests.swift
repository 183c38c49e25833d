import Alarms
import EggTestSupport
import EggTime

@testable import EggStore
import Foundation
import Testing

@Suite("Zone files that change, vanish, break, or lie behind links")
struct ZoneDataTests {
  @Test("A tzdata update moves only the alarms of that zone, and is reported")
  func update() throws {
    let rig = try ZoneRig()
    let paris = try rig.at("2026-11-21 07:30:00", zone: "Europe/Paris")
    let far = try rig.at("2026-12-24 18:00:00", zone: "Europe/Paris")
    let tokyo = try rig.at("2026-11-21 07:30:00", zone: "Asia/Tokyo")
    let floating = try rig.at("2026-11-21 07:30:00")
    let others = [tokyo, floating].map { rig.due($0) }
    try rig.folder.update("Europe/Paris", to: "Europe/London")
    rig.look()
    #expect(rig.due(paris) == (try ZoneRig.utc("2026-11-21 07:30:00")))
    #expect(rig.due(far) == (try ZoneRig.utc("2026-12-24 18:00:00")))
    #expect([tokyo, floating].map { rig.due($0) } == others)
    #expect(rig.zoneEvents == [.zoneDataChanged(["Europe/Paris"], moved: 2)])
  }

  @Test("An update of the machine's zone moves floating alarms and those that name it")
  func ownUpdate() throws {
    let rig = try ZoneRig()
    let floating = try rig.at("2026-11-21 07:30:00")
    let named = try rig.at("2026-11-21 07:30:00", zone: "Europe/Berlin")
    try rig.folder.update("Europe/Berlin", to: "Europe/London")
    rig.look()
    let expected = try ZoneRig.utc("2026-11-21 07:30:00")
    #expect([floating, named].map { rig.due($0) } == [expected, expected])
    #expect(rig.zoneEvents == [.zoneDataChanged(["Europe/Berlin"], moved: 2)])
  }

  @Test("An update to a past moment rings once, at once, late because of the zone")
  func updateIntoPast() throws {
    let rig = try ZoneRig()
    let number = try rig.at("2026-11-20 22:00:00", zone: "Europe/London")
    try rig.folder.update("Europe/London", to: "Europe/Berlin")
    rig.look()
    #expect(rig.rung == [number])
    #expect(rig.rings.all.first?.reason == .zoneChange)
    rig.look()
    #expect(rig.rung == [number])
  }

  @Test("An update that changes no moment moves nothing and is not reported")
  func harmlessUpdate() throws {
    let rig = try ZoneRig()
    let number = try rig.at("2026-11-21 07:30:00", zone: "Europe/Paris")
    let before = rig.bench.alarm(number)
    try rig.folder.update("Europe/Paris", to: "Europe/Berlin")
    rig.look()
    #expect(rig.bench.alarm(number) == before)
    #expect(rig.zoneEvents == [])
  }

  enum Damage: CaseIterable { case missing, empty, truncated, text, folder }

  @Test(
    "A zone file that vanishes or breaks leaves its alarms alone, and is reported once",
    arguments: Damage.allCases)
  func broken(damage: Damage) throws {
    let rig = try ZoneRig()
    let named = try rig.at("2026-11-21 07:30:00", zone: "Asia/Tokyo")
    let floating = try rig.at("2026-11-21 07:30:00")
    let before = [named, floating].map { rig.due($0) }
    for zone in ["Asia/Tokyo", "Europe/Berlin"] {
      let file = rig.folder.file(zone)
      let whole = try Data(contentsOf: file)
      try rig.folder.remove(file)
      switch damage {
      case .missing: break
      case .empty: try rig.folder.write(Data(), to: zone)
      case .truncated: try rig.folder.write(whole.prefix(100), to: zone)
      case .text: try rig.folder.write(Data("# not a zone".utf8), to: zone)
      case .folder: try FileManager.default.createDirectory(at: file, withIntermediateDirectories: true)
      }
    }
    for _ in 1...3 { rig.look() }
    #expect([named, floating].map { rig.due($0) } == before)
    let told = rig.zoneEvents.compactMap { if case .zoneUnusable(let zone, _) = $0 { zone } else { nil } }
    #expect(told.sorted() == ["Asia/Tokyo", "Europe/Berlin"])

    // Alarms of those zones are still scheduled by the last data.
    #expect(rig.bench.store.zones.zone("Asia/Tokyo", floats: false)?.identifier == "Asia/Tokyo")
    #expect(rig.bench.store.zones.local.identifier == "Europe/Berlin")

    // The files return with other rules.
    for zone in ["Asia/Tokyo", "Europe/Berlin"] {
      try? rig.folder.remove(rig.folder.file(zone))
      try rig.folder.update(zone, to: "Europe/London")
    }
    rig.look()
    let expected = try ZoneRig.utc("2026-11-21 07:30:00")
    #expect([named, floating].map { rig.due($0) } == [expected, expected])
  }

  @Test("A localtime that vanishes does not mean UTC: the last good zone stays, reported once")
  func localtimeVanishes() throws {
    let rig = try ZoneRig()
    let number = try rig.at("2026-11-21 07:30:00")
    let before = rig.due(number)
    try rig.folder.remove(rig.folder.link)
    for _ in 1...3 { rig.look() }
    #expect(rig.due(number) == before)
    #expect(rig.zoneEvents.count == 1)
    try rig.restart()
    #expect(rig.due(number) == before)
    #expect(rig.bench.store.zones.machine.current.identifier == "Europe/Berlin")
    try rig.move(to: "Asia/Tokyo")
    #expect(rig.rung == [])
    #expect(rig.due(number) == (try ZoneRig.utc("2026-11-20 22:30:00")))
  }

  @Test("A machine that never had a localtime is at UTC, without a report")
  func noLocaltime() throws {
    let rig = try ZoneRig()
    try rig.folder.remove(rig.folder.link)
    let bench = try StoreBench(zones: rig.folder.source)
    bench.store.followZones()
    bench.queue.sync {}
    #expect(bench.store.zones.machine.current.identifier == "UTC")
    #expect(!bench.events.all.contains { if case .zoneUnusable = $0 { true } else { false } })
  }

  @Test("Hostile zone values in the database do no harm")
  func hostile() throws {
    let rig = try ZoneRig()
    let number = try rig.at("2026-11-21 07:30:00")
    for _ in 1...5 { try rig.at("2026-11-21 07:30:00", zone: "Asia/Tokyo") }
    try rig.bench.stranger().write {
      try $0.execute(
        sql: """
          UPDATE alarm SET floats = 5, zone = 'x' WHERE number = 2;
          UPDATE alarm SET zone = '../../etc/passwd' WHERE number = 3;
          UPDATE alarm SET civil = '2026-99-99 99:99:99' WHERE number = 4;
          UPDATE alarm SET zone = '' WHERE number = 5;
          UPDATE alarm SET zone = 'No/Where', due = 9223372036854775807 WHERE number = 6;
          UPDATE schedule SET zone = '', zoneDigest = 'x';
          INSERT INTO zone VALUES ('Asia/Tokyo', '') ON CONFLICT DO UPDATE SET digest = '';
          """)
    }
    try rig.move(to: "America/New_York")
    let expected = try ZoneRig.utc("2026-11-21 12:30:00")
    #expect([number, 2].map { rig.due($0) } == [expected, expected])
    #expect(rig.rung == [])
  }
}

@Suite("Watching zone files")
struct ZoneWatchTests {
  /// Waits until the store sees the machine in that zone.
  private func expect(_ zone: String, _ rig: ZoneRig) {
    let name = eventually { () -> String? in
      let name = rig.bench.queue.sync { rig.bench.store.zones.local.identifier }
      return name == zone ? name : nil
    }
    #expect(name == zone)
  }

  @Test("A localtime that is replaced by a rename, or removed and created again, is noticed")
  func replaced() throws {
    let rig = try ZoneRig()
    try rig.folder.move(to: "Asia/Tokyo")
    expect("Asia/Tokyo", rig)
    try rig.folder.remove(rig.folder.link)
    try FileManager.default.createSymbolicLink(
      at: rig.folder.link, withDestinationURL: rig.folder.file("Europe/London"))
    expect("Europe/London", rig)
  }

  @Test("A link behind the link is watched, and a link to a folder")
  func links() throws {
    let rig = try ZoneRig()
    let files = FileManager.default
    let second = rig.folder.root.appending(path: "second")
    try files.createSymbolicLink(at: second, withDestinationURL: rig.folder.file("Asia/Tokyo"))
    let link = rig.folder.root.appending(path: "new").path
    try files.createSymbolicLink(atPath: link, withDestinationPath: "../second")
    rename(link, rig.folder.link.path)
    expect("Asia/Tokyo", rig)
    try files.createSymbolicLink(
      atPath: second.path + ".new", withDestinationPath: rig.folder.file("Europe/London").path)
    rename(second.path + ".new", second.path)
    expect("Europe/London", rig)

    // The folder of zones becomes a link to another folder.
    let paris = try rig.at("2026-11-21 07:30:00", zone: "Europe/Paris")
    rig.settle()
    let other = rig.folder.root.appending(path: "zoneinfo-2")
    try files.copyItem(at: rig.folder.zones, to: other)
    try Data(contentsOf: rig.folder.file("Europe/London")).write(to: other.appending(path: "Europe/Paris"))
    try files.moveItem(at: rig.folder.zones, to: rig.folder.root.appending(path: "zoneinfo-1"))
    try files.createSymbolicLink(atPath: rig.folder.zones.path, withDestinationPath: other.path)
    let expected = try ZoneRig.utc("2026-11-21 07:30:00")
    #expect(eventually { rig.due(paris) == expected ? true : nil } == true)
  }

  @Test("The zone file of a new alarm is watched, and so is its return")
  func named() throws {
    let rig = try ZoneRig()
    let number = try rig.at("2026-11-21 07:30:00", zone: "Europe/Paris")
    rig.settle()
    try rig.folder.remove(rig.folder.file("Europe"))
    #expect(eventually { rig.zoneEvents.isEmpty ? nil : true } == true)
    try rig.folder.update("Europe/Paris", to: "Europe/London")
    let expected = try ZoneRig.utc("2026-11-21 07:30:00")
    #expect(eventually { rig.due(number) == expected ? true : nil } == true)
  }

  @Test("Without a watch, alarms follow when a command finds another zone")
  func unwatched() throws {
    let rig = try ZoneRig()
    rig.bench.queue.sync { rig.bench.store.zoneFollower.stopWatching() }
    try rig.folder.move(to: "Asia/Tokyo")
    #expect(rig.bench.store.zones.machine.refresh().identifier == "Asia/Tokyo")
    expect("Asia/Tokyo", rig)
  }
}
