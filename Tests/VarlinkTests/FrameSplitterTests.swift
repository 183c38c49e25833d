import Testing

@testable import Varlink

@Suite struct FrameSplitterTests {
  private func feed(_ splitter: inout FrameSplitter, _ text: String) {
    Array(text.utf8).withUnsafeBytes { splitter.append($0) }
  }

  private func all(_ splitter: inout FrameSplitter) throws -> [String] {
    var messages: [String] = []
    while let message = try splitter.next() { messages.append(String(decoding: message, as: UTF8.self)) }
    return messages
  }

  @Test("Messages end at NULs, however the bytes arrive", arguments: 1...8)
  func pieces(size: Int) throws {
    var splitter = FrameSplitter(limit: 100)
    let stream = Array("one\0two\0\0three\0rest".utf8)
    var messages: [String] = []
    for start in stride(from: 0, to: stream.count, by: size) {
      let piece = Array(stream[start..<min(start + size, stream.count)])
      piece.withUnsafeBytes { splitter.append($0) }
      messages += try all(&splitter)
    }
    #expect(messages == ["one", "two", "", "three"])
    #expect(splitter.pendingBytes == 4)
  }

  @Test("Memory stays bounded in a stream whose reads never end at a message's end")
  func endless() throws {
    var splitter = FrameSplitter(limit: 1_000)
    let message = String(repeating: "x", count: 500) + "\0"
    var most = 0
    feed(&splitter, "x")
    for _ in 0..<5_000 {
      // The end of one message and half of the next: the buffer is never empty.
      feed(&splitter, message)
      while try splitter.next() != nil {}
      feed(&splitter, message + "x")
      // Takes one of two messages, like a server slower than its client.
      _ = try splitter.next()
      most = max(most, splitter.heldBytes)
    }
    #expect(most <= 2 * FrameSplitter.mostConsumed + 4_000)
    var behind = FrameSplitter(limit: 1_000)
    for _ in 0..<300 { feed(&behind, message) }
    for _ in 0..<10_000 {
      feed(&behind, message)
      let next = try behind.next()
      #expect(next?.count == 500)
    }
    #expect(behind.pendingBytes == 300 * 501)
    #expect(behind.heldBytes <= 2 * (300 * 501) + FrameSplitter.mostConsumed + 1_000)
  }

  @Test("A message at the limit is accepted, and one byte more is refused, complete or not")
  func limit() throws {
    var splitter = FrameSplitter(limit: 4)
    feed(&splitter, "1234\0")
    #expect(try all(&splitter) == ["1234"])
    feed(&splitter, "1234")
    let unended = try splitter.next()
    #expect(unended == nil)
    feed(&splitter, "5")
    #expect(throws: FrameSplitter.TooLong.self) { try splitter.next() }
    var other = FrameSplitter(limit: 4)
    feed(&other, "12345\0")
    #expect(throws: FrameSplitter.TooLong.self) { try other.next() }
  }

  @Test("A waiting message is announced without being taken")
  func announced() throws {
    var splitter = FrameSplitter(limit: 10)
    feed(&splitter, "a")
    let before = splitter.hasMessage()
    feed(&splitter, "\0b\0")
    let during = splitter.hasMessage()
    #expect(try all(&splitter) == ["a", "b"])
    let after = splitter.hasMessage()
    #expect([before, during, after] == [false, true, false])
  }
}
