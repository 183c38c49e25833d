import Alarms
import EggTestSupport
import EggTime
import Testing

@testable import EggDaemon
@testable import EggStore

@Suite("Commits during reads")
struct KeptCommitsTests {
  private func commit(_ sequence: Int64, alarms: Int = 1) -> CommittedChanges {
    CommittedChanges(sequence: sequence, alarms: Array(repeating: (nil, nil), count: alarms))
  }

  @Test("Each read gets the commits since it began, in order")
  func since() {
    var kept = KeptCommits()
    kept.add(commit(1))
    kept.begin(7)
    kept.add(commit(2))
    kept.begin(8)
    kept.add(commit(3))
    #expect(kept.end(7)?.map(\.sequence) == [2, 3])
    kept.begin(9)
    kept.add(commit(4))
    #expect(kept.end(8)?.map(\.sequence) == [3, 4])
    #expect(kept.end(9)?.map(\.sequence) == [4])
    #expect(kept.end(9) == nil)
    kept.begin(9)
    #expect(kept.end(9)?.isEmpty == true)
  }

  @Test("However long and many the reads, the number of kept commits is bounded")
  func bounded() {
    var kept = KeptCommits()
    var most = 0
    kept.begin(0)
    for sequence in 1...Int64(5 * KeptCommits.alarmsLimit) {
      kept.begin(UInt64(sequence))
      kept.add(commit(sequence))
      most = max(most, kept.count)
      kept.end(UInt64(sequence))
    }
    #expect(most == KeptCommits.alarmsLimit)
    #expect(kept.end(0)?.count == nil)
    #expect(kept.count == 0)
  }

  @Test("A commit that does not name its alarms makes all reads in progress void")
  func void() {
    var kept = KeptCommits()
    kept.begin(1)
    kept.add(commit(1))
    kept.add(CommittedChanges(sequence: 2, alarms: nil))
    kept.begin(2)
    kept.add(commit(3))
    #expect(kept.end(1) == nil)
    #expect(kept.end(2)?.map(\.sequence) == [3])
  }
}
