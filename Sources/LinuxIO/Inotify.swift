import Dispatch
import Glibc

/// Hears of what happens to files in directories, inotify(7), until its last reference goes; that queue waits then for the
/// kernel, which takes 15 ms and more to end an instance. Confined to the queue that its events come on.
package final class Inotify {
  private let descriptor: Int32
  private let source: any DispatchSourceRead

  /// One thing that happened: to that file, or to the directory itself where there is no name.
  package struct Event {
    package var name: String
    package var mask: UInt32
    /// Of which directory.
    package var watch: Int32

    /// Whether it is one of these kinds, or'ed.
    package func isAny(of kinds: Int32) -> Bool { mask & UInt32(bitPattern: kinds) != 0 }

    /// Some were lost.
    package var isOverflow: Bool { isAny(of: IN_Q_OVERFLOW) }
  }

  /// nil where the kernel gives none. `handler` is called on `queue`.
  package init?(queue: DispatchQueue, handler: @escaping ([Event]) -> Void) {
    descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    guard descriptor >= 0 else { return nil }
    source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
    let descriptor = descriptor
    source.setEventHandler { handler(Self.read(descriptor)) }
    source.setCancelHandler { Glibc.close(descriptor) }
    source.resume()
  }

  deinit { source.cancel() }

  /// Watches a directory for these kinds of events, or'ed, and for no others any more.
  ///
  /// - Returns: What its events bear; nil where it can't be watched.
  package func watch(_ directory: String, for kinds: Int32) -> Int32? {
    let watch = inotify_add_watch(descriptor, directory, UInt32(bitPattern: kinds))
    return watch < 0 ? nil : watch
  }

  package func forget(_ watch: Int32) { inotify_rm_watch(descriptor, watch) }

  /// All that is there to be read.
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
