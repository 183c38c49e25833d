import EggStore
import Glibc

extension ChangeClient {
  /// Named after /proc/PID/comm (proc(5)).
  init(processID: Int32) {
    self.init(name: nil, session: nil)
    guard processID > 0 else { return }
    let session = getsid(processID)
    if session > 0 { self.session = Int64(session) }
    let file = open("/proc/\(processID)/comm", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 32)
    let count = read(file, &bytes, bytes.count)
    guard count > 1 else { return }
    name = String(decoding: bytes[..<(count - 1)], as: UTF8.self)
  }
}
