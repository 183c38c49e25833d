@testable import EggStore
import EggTestSupport
import Foundation
import Ringing
import Testing

@Suite struct RingingReadingTests {
  private func told(_ bench: StoreBench) -> [[Int64]] {
    bench.observer.heard.all.compactMap { heard in
      guard case .news(.ringing(let notices)) = heard else { return nil }
      return notices.map(\.number)
    }
  }

  /// Waits for all requests to the store, and for those that follow from them.
  private func settle(_ bench: StoreBench) { for _ in 0..<8 { bench.queue.sync {} } }

  /// `count` alarms ring, each in the bubble of its number.
  private func ringing(_ count: Int) throws -> StoreBench {
    let bench = try StoreBench()
    let rings = try (1...count).map { try bench.ring(bench.schedule(), occurrence: Int64($0) * 2) }
    bench.store.record(
      rings,
      marks: rings.map {
        .shown([$0.ring], bubble: UInt32($0.key.number), server: ":1.7 bus", at: bench.clock.read().wall)
      })
    settle(bench)
    bench.observer.heard.clear()
    return bench
  }

  @Test("Ringing alarms are told, with their bubbles; of very many the last")
  func told() throws {
    let bench = try ringing(1_030)
    bench.store.readRinging()
    settle(bench)
    #expect(told(bench) == [Array(7...1_030)])
    let shown = bench.observer.heard.all.compactMap { heard -> Notice.ShownBubble? in
      guard case .news(.ringing(let notices)) = heard else { return nil }
      return notices.last?.shown
    }
    #expect(shown == [Notice.ShownBubble(id: 1_030, server: ":1.7 bus")])
  }

  @Test("The ends of thousands of rings are told")
  func stillRinging() throws {
    let bench = try ringing(3)
    bench.store.stillRinging(Array(Int64(1)...5_000))
    settle(bench)
    let ended = bench.observer.heard.all.map { heard -> [Int64] in
      guard case .news(.ended(let ended)) = heard else { return [] }
      return ended
    }
    #expect(ended.flatMap { $0 } == Array(Int64(1)...5_000).filter { ![2, 4, 6].contains($0) })
  }

  /// Three alarms ring, and their file is elsewhere when they are asked for.
  private func unreadableRinging() throws -> (StoreBench, aside: String) {
    let bench = try ringing(3)
    let aside = bench.path + ".aside"
    try FileManager.default.moveItem(atPath: bench.path, toPath: aside)
    #expect(eventually { bench.events.all.contains(.takenAway) ? true : nil } == true)
    bench.store.readRinging()
    settle(bench)
    return (bench, aside)
  }

  @Test("An unreadable file is read when it can be, and known rings are shown meanwhile")
  func unreadable() throws {
    let (bench, aside) = try unreadableRinging()
    #expect(told(bench) == [[]])
    try FileManager.default.moveItem(atPath: aside, toPath: bench.path)
    #expect(eventually { told(bench).last == [1, 2, 3] ? true : nil } == true)
  }

  @Test("Those that could not be read are told before a change ends one")
  func toldBeforeChange() throws {
    let (bench, aside) = try unreadableRinging()
    bench.observer.heard.clear()
    try FileManager.default.moveItem(atPath: aside, toPath: bench.path)
    #expect(eventually { bench.store.condition == .writable ? true : nil } == true)
    _ = try bench.submit(DeleteChange(Selection(numbers: [2])))
    #expect(told(bench).filter { !$0.isEmpty } == [[1, 2, 3]])
    let place = bench.observer.words.lastIndex(of: "ringing")
    #expect(try #require(place) < (try #require(bench.observer.words.firstIndex(of: "changed"))))
  }
}
