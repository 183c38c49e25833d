import Dispatch
import Glibc

/// Tells when a file of one name appears in its directory, inotify(7). Ends with its last reference.
final class DirectoryWatch {
  private let source: any DispatchSourceRead

  /// nil where the directory cannot be watched. `appeared` is called on `queue`.
  init?(path: String, queue: DispatchQueue, appeared: @escaping @Sendable () -> Void) {
    let slash = path.lastIndex(of: "/")
    guard let slash else { return nil }
    let directory = slash == path.startIndex ? "/" : String(path[..<slash])
    let name = Array(path[path.index(after: slash)...].utf8)
    let descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
    guard descriptor >= 0 else { return nil }
    guard inotify_add_watch(descriptor, directory, UInt32(IN_CREATE | IN_MOVED_TO | IN_ATTRIB)) >= 0 else {
      close(descriptor)
      return nil
    }
    source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
    source.setEventHandler {
      if Self.read(descriptor, finds: name) { appeared() }
    }
    source.setCancelHandler { close(descriptor) }
    source.resume()
  }

  deinit { source.cancel() }

  /// Reads all that is there.
  private static func read(_ descriptor: Int32, finds name: [UInt8]) -> Bool {
    var found = false
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while true {
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      guard count > 0 else { return found }
      buffer.withUnsafeBytes { bytes in
        var start = 0
        while start + MemoryLayout<inotify_event>.size <= count {
          let event = bytes.loadUnaligned(fromByteOffset: start, as: inotify_event.self)
          start += MemoryLayout<inotify_event>.size
          let field = bytes[start..<min(start + Int(event.len), count)]
          found = found || field.prefix { $0 != 0 }.elementsEqual(name)
          start += Int(event.len)
        }
      }
    }
  }
}
