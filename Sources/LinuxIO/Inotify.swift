import Dispatch
import Glibc

/// Reports events of files in directories, inotify(7), until released. The release blocks the queue for 15 ms
/// and more, while the kernel ends the instance. Confined to the queue of its events.
package final class Inotify {
  /// Readable when there are events.
  package let descriptor: Int32
  private let source: (any DispatchSourceRead)?

  /// An event of the named file, or of the directory itself if the name is empty.
  package struct Event {
    package var name: String
    package var mask: UInt32
    package var watch: Int32

    /// Whether it is any of these kinds, or'ed.
    package func isAny(of kinds: Int32) -> Bool { mask & UInt32(bitPattern: kinds) != 0 }

    /// Events were lost.
    package var isOverflow: Bool { isAny(of: IN_Q_OVERFLOW) }
  }

  /// nil at the kernel's limits. Who has it reads the ``events()``.
  package init?() {
    descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    source = nil
    guard descriptor >= 0 else { return nil }
  }

  /// nil at the kernel's limits. `handler` is called on `queue`.
  package init?(queue: DispatchQueue, handler: @escaping ([Event]) -> Void) {
    descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    guard descriptor >= 0 else { return nil }
    let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
    self.source = source
    let descriptor = descriptor
    source.setEventHandler { handler(Self.read(descriptor)) }
    source.setCancelHandler { Glibc.close(descriptor) }
    source.resume()
  }

  deinit {
    if let source { source.cancel() } else if descriptor >= 0 { close(descriptor) }
  }

  /// Watches a directory for exactly these kinds of events, or'ed.
  ///
  /// - Returns: The watch descriptor; nil if the directory cannot be watched.
  package func watch(_ directory: String, for kinds: Int32) -> Int32? {
    let watch = inotify_add_watch(descriptor, directory, UInt32(bitPattern: kinds))
    return watch < 0 ? nil : watch
  }

  package func forget(_ watch: Int32) { inotify_rm_watch(descriptor, watch) }

  package func events() -> [Event] { Self.read(descriptor) }

  private static func read(_ descriptor: Int32) -> [Event] {
    var events: [Event] = []
    let size = 16_384
    let header = MemoryLayout<inotify_event>.size
    withUnsafeTemporaryAllocation(byteCount: size, alignment: MemoryLayout<inotify_event>.alignment) {
      buffer in
      while true {
        let count = Glibc.read(descriptor, buffer.baseAddress, size)
        guard count > 0 else { return }
        var start = 0
        while start + header <= count {
          let event = buffer.loadUnaligned(fromByteOffset: start, as: inotify_event.self)
          let name = buffer[(start + header)..<(start + header + Int(event.len))].prefix { $0 != 0 }
          events.append(
            Event(name: String(decoding: name, as: UTF8.self), mask: event.mask, watch: event.wd))
          start += header + Int(event.len)
        }
      }
    }
    return events
  }
}
