import Glibc
import Testing

@testable import EggStore
@testable import LinuxIO

@Suite("What happens in the database's folder")
struct FileWatchTests {
  private static let cases: [(name: String, kind: Int32, meaning: FileWatch.Events)] = [
    ("a.db", IN_MOVED_FROM, .file), ("a.db", IN_CREATE, .file), ("a.db", IN_MODIFY, .fileWritten),
    ("a.db-wal", IN_MODIFY, .logWritten), ("a.db-wal", IN_CLOSE_WRITE, .logWritten),
    ("a.db-shm", IN_MODIFY, []), ("a.db-wal", IN_DELETE, .logGone), ("a.db-shm", IN_MOVED_FROM, .logGone),
    ("a.db-wal", IN_MOVED_TO, .logReplaced), ("b.db", IN_DELETE, []),
    ("", IN_Q_OVERFLOW, [.file, .logWritten]),
    ("", IN_DELETE_SELF, [.file, .folderGone]), ("", IN_IGNORED, [.file, .folderGone]),
  ]

  @Test("Each event means one thing for the file or its log", arguments: cases.indices)
  func meaning(_ index: Int) {
    let (name, kind, meaning) = Self.cases[index]
    let event = Inotify.Event(name: name, mask: UInt32(bitPattern: kind), watch: 1)
    #expect(FileWatch.meaning(of: [event], for: "a.db") == meaning)
  }

  @Test("Checks for another program's commit become rarer until the log is written again")
  func noticing() {
    var noticing = Noticing()
    let pauses = (1...12).map { _ in noticing.next().pause }
    #expect(pauses.prefix(3) == [50, 100, 200])
    #expect(pauses.last == 60_000)
    noticing.begin()
    let next = noticing.next()
    #expect(next == (13, 50))
  }
}
