import Glibc

/// A file of Tests/Fixtures; empty when it is not there.
package func contents(ofFixture name: String, caller: String = #filePath) -> String {
  let folder = caller.split(separator: "/", omittingEmptySubsequences: false).dropLast(2).joined(
    separator: "/")
  guard let file = fopen("\(folder)/Fixtures/\(name)", "r") else { return "" }
  defer { fclose(file) }
  var bytes: [UInt8] = []
  var buffer = [UInt8](repeating: 0, count: 1 << 16)
  while true {
    let count = fread(&buffer, 1, 1 << 16, file)
    guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
    bytes += buffer[..<count]
  }
}
