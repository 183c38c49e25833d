import Glibc
import Testing

/// What a journal without journald writes. It is never closed, because an entry may come after the test, when its number
/// could be another test's connection.
struct StandardError {
  let descriptor: Int32
  private let reading: Int32

  init() throws {
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    (reading, descriptor) = (ends[0], ends[1])
    _ = fcntl(reading, F_SETFL, O_NONBLOCK)
  }

  /// What has been written since it was last read.
  func text() -> String {
    var text: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while case let count = read(reading, &buffer, buffer.count), count > 0 { text += buffer[..<count] }
    return String(decoding: text, as: UTF8.self)
  }
}
