import Testing

@testable import EggCommands

@Suite struct KeyReaderTests {
  @Test(
    "A terminal's bytes become keys",
    arguments: [
      ("a", [.character("a")]), ("aB?", [.character("a"), .character("B"), .character("?")]),
      ("한", [.character("한")]), ("🥚", [.character("🥚")]), ("\r", [.enter]), ("\n", [.enter]), ("\t", [.tab]),
      ("\u{7f}", [.backspace]), ("\u{8}", [.backspace]), ("\u{3}", [.control("c")]),
      ("\u{1a}", [.control("z")]),
      ("\u{0}", []), ("\u{1f}", []), ("\u{1b}[A", [.up]), ("\u{1b}OB", [.down]), ("\u{1b}[1;5C", [.right]),
      ("\u{1b}[D", [.left]), ("\u{1b}[H", [.home]), ("\u{1b}[1~", [.home]), ("\u{1b}[4~", [.end]),
      ("\u{1b}[3~", [.delete]), ("\u{1b}[5~", [.pageUp]), ("\u{1b}[6~", [.pageDown]), ("\u{1b}OM", [.enter]),
      ("\u{1b}[15~a", [.character("a")]), ("\u{1b}[[Aa", [.character("a")]),
      ("\u{1b}x", [.escape, .character("x")]),
      ("\u{1b}[I\u{1b}[O", []), ("\u{9b}", []), ("\u{1b}\u{1b}[A", [.escape, .up]),
      ("\u{1b}[200~rm 1\n\u{1b}[A\u{7}q\u{1b}[201~q", [.pasted("rm 1 [Aq"), .character("q")]),
    ] as [(String, [Key])])
  func keys(_ text: String, _ keys: [Key]) {
    #expect(read([Array(text.utf8)]) == keys)
  }

  /// The keys of bytes that arrive in pieces; nothing may be left over.
  private func read(_ pieces: [[UInt8]]) -> [Key] {
    var reader = KeyReader()
    let keys = pieces.flatMap { reader.read($0) }
    #expect(!reader.isWaiting)
    return keys
  }

  @Test("Keys that arrive byte by byte are the same keys")
  func piecemeal() {
    let text = "a한🥚\u{1b}[1;5C\u{1b}OA\u{1b}[200~two 달걀\u{1b}[201~\u{1b}[3~"
    #expect(read([Array(text.utf8)]) == read(text.utf8.map { [$0] }))
  }

  @Test("Time tells Escape from the beginning of a sequence")
  func escape() {
    var reader = KeyReader()
    var keys = [reader.read([0x1b])]
    #expect(reader.isWaiting)
    keys.append(reader.flush())
    #expect(!reader.isWaiting)
    keys.append(reader.read(Array("\u{1b}[".utf8)))
    keys.append(reader.flush())
    keys.append(reader.flush())
    #expect(keys == [[], [.escape], [], [.escape, .character("[")], []])
  }

  @Test(
    "Bytes that are not UTF-8 are dropped",
    arguments: [[0xff], [0xc3, 0x28], [0xed, 0xa0, 0x80]] as [[UInt8]])
  func garbage(_ bytes: [UInt8]) {
    let keys = read([bytes + Array("q".utf8)])
    #expect(keys.last == .character("q"))
    #expect(keys.count <= 2)
  }

  @Test("An endless sequence is given up")
  func endless() {
    #expect(read([Array("\u{1b}[".utf8) + Array(repeating: UInt8(ascii: "1"), count: 64)]) == [])
  }
}
