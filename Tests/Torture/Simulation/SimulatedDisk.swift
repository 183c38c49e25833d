import GRDBSQLite
import Glibc

/// What SQLite's writes run into. One at a time, as there is one eggd at a time.
final class SimulatedDisk: @unchecked Sendable {
  enum Health: String {
    case sound
    /// No file gets longer.
    case full
    /// Every write fails with EIO.
    case failing
  }

  nonisolated(unsafe) static var current: SimulatedDisk?

  var health = Health.sound
  /// Called before each write of SQLite, with what it would write where.
  var onWrite: ((_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer, _ offset: off_t) -> Void)?
  private(set) var failures = 0

  /// SQLite's own way of being tested: its Unix VFS makes its system calls through a table
  /// (https://www.sqlite.org/vfs.html, xSetSystemCall).
  static func interpose() {
    guard let vfs = sqlite3_vfs_find("unix"), let set = vfs.pointee.xSetSystemCall else {
      fail("SQLite has no Unix VFS")
    }
    let positioned: @convention(c) (Int32, UnsafeRawPointer?, Int, off_t) -> Int = {
      descriptor, bytes, count, offset in
      if let disk = SimulatedDisk.current, disk.refuses(descriptor, bytes, count, offset) { return -1 }
      return Glibc.pwrite(descriptor, bytes, count, offset)
    }
    let plain: @convention(c) (Int32, UnsafeRawPointer?, Int) -> Int = { descriptor, bytes, count in
      if let disk = SimulatedDisk.current,
        disk.refuses(descriptor, bytes, count, lseek(descriptor, 0, SEEK_CUR))
      {
        return -1
      }
      return Glibc.write(descriptor, bytes, count)
    }
    for name in ["pwrite", "pwrite64"] {
      _ = set(vfs, name, unsafeBitCast(positioned, to: sqlite3_syscall_ptr.self))
    }
    _ = set(vfs, "write", unsafeBitCast(plain, to: sqlite3_syscall_ptr.self))
  }

  /// Sets errno where it does.
  private func refuses(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int, _ offset: off_t) -> Bool
  {
    onWrite?(descriptor, UnsafeRawBufferPointer(start: bytes, count: count), offset)
    switch health {
    case .sound: return false
    case .full:
      var status = stat()
      guard fstat(descriptor, &status) == 0, offset + count > status.st_size,
        !isIndex(descriptor)
      else { return false }
    case .failing:
      if isIndex(descriptor) { return false }
    }
    failures += 1
    errno = health == .full ? ENOSPC : EIO
    return true
  }

  // eggd has filled it when it opened the database, and opens none on a disk with less room than that.
  private func isIndex(_ descriptor: Int32) -> Bool { name(of: descriptor).hasSuffix("-shm") }

  private func name(of descriptor: Int32) -> String {
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/fd/\(descriptor)", &bytes, bytes.count)
    guard count > 0 else { return "" }
    return String(decoding: bytes[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
