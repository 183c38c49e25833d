@testable import EggStore
import EggTestSupport
import Foundation
import Ringing
import Testing

@Suite struct RingingReadingTests {
  private func slices(_ bench: StoreBench) -> [[Int64]] {
    bench.observer.heard.all.compactMap { heard in
      guard case .news(.ringing(let notices, _)) = heard else { return nil }
      return notices.map(\.number)
    }
  }

  /// Waits for all requests to the store, and for those that follow from them.
  private func settle(_ bench: StoreBench) { for _ in 0..<8 { bench.queue.sync {} } }

  private func left(_ bench: StoreBench) -> [Notice.ShownBubble] {
    bench.observer.heard.all.flatMap { heard -> [Notice.ShownBubble] in
      guard case .news(.bubblesLeft(let bubbles)) = heard else { return [] }
      return bubbles
    }
  }

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

  @Test("Ringing alarms are told in slices, each after the previous one was taken")
  func slices() throws {
    let bench = try ringing(600)
    bench.observer.beBusy()
    bench.store.readRinging()
    settle(bench)
    #expect(slices(bench).map(\.count) == [256])
    bench.observer.takeAll()
    settle(bench)
    #expect(slices(bench).map(\.count) == [256, 256, 88])
    #expect(slices(bench).flatMap { $0 } == Array(1...600))
    #expect(bench.observer.words == ["ringing", "ringing", "ringing"])
  }

  @Test("A ring that ends before its slice is not told, but its bubble is")
  func endedBefore() throws {
    let bench = try ringing(3)
    _ = try bench.submit(DeleteChange(Selection(numbers: [2])))
    #expect(left(bench) == [Notice.ShownBubble(id: 2, server: ":1.7 bus")])
    bench.store.readRinging()
    settle(bench)
    #expect(slices(bench) == [[1, 3]])
    bench.observer.heard.clear()
    _ = try bench.submit(DismissChange(Selection(numbers: [1])))
    // It was told, and so is its end.
    #expect(left(bench) == [])
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

  @Test("An unreadable file is read when it can be, and known rings are shown meanwhile")
  func unreadable() throws {
    let bench = try ringing(3)
    let aside = bench.path + ".aside"
    try FileManager.default.moveItem(atPath: bench.path, toPath: aside)
    #expect(eventually { bench.events.all.contains(.takenAway) ? true : nil } == true)
    bench.store.readRinging()
    settle(bench)
    #expect(slices(bench) == [[]])
    try FileManager.default.moveItem(atPath: aside, toPath: bench.path)
    #expect(eventually { slices(bench).last == [1, 2, 3] ? true : nil } == true)
  }
}
