import Glibc

/// This boot's ID, random(4). Where /proc cannot be read it is made up, so that no countdown runs on another
/// boot's clock.
package func readBootID() -> String {
  let descriptor = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC)
  defer { if descriptor >= 0 { close(descriptor) } }
  var buffer = [UInt8](repeating: 0, count: 64)
  let count = descriptor >= 0 ? read(descriptor, &buffer, buffer.count) : 0
  let text = String(decoding: buffer[..<max(count, 0)], as: UTF8.self)
  let id = text.filter { $0.isHexDigit || $0 == "-" }
  guard id.utf8.count == 36 else { return "unknown-\(UInt64.random(in: 0 ... .max))" }
  return id
}
