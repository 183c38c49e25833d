import Glibc

/// One folder of state after another: each eggd gets the files as the one before it left them.
struct StateFolder {
  private let base: String
  private var count = 0

  init(below base: String) { self.base = base }

  var path: String { "\(base)/\(count)" }
  var database: String { path + "/schedule.db" }

  mutating func makeFirst() {
    mkdir(base, 0o700)
    mkdir(path, 0o700)
  }

  /// The next folder, with copies of the files as they are now. Not of -shm: with the last process that has it mapped
  /// it loses its meaning, and SQLite makes it anew from -wal.
  mutating func leave() {
    let old = path
    count += 1
    mkdir(path, 0o700)
    for name in Self.names(in: old) where name != "lock" && !name.hasSuffix("-shm") {
      Self.copy("\(old)/\(name)", to: "\(path)/\(name)")
    }
  }

  /// Removes the folder before this.
  func removeOld() { Self.remove("\(base)/\(count - 1)") }

  func removeAll() {
    if count > 0 { removeOld() }
    Self.remove(path)
    rmdir(base)
  }

  static func names(in folder: String) -> [String] {
    guard let listing = opendir(folder) else { return [] }
    defer { closedir(listing) }
    var names: [String] = []
    while let entry = readdir(listing) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  static func remove(_ folder: String) {
    for name in names(in: folder) { unlink("\(folder)/\(name)") }
    rmdir(folder)
  }

  static func copy(_ file: String, to other: String) {
    let source = open(file, O_RDONLY | O_CLOEXEC)
    let target = open(other, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard source >= 0, target >= 0 else { fail("cannot copy \(file): \(String(cString: strerror(errno)))") }
    defer {
      close(source)
      close(target)
    }
    withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 16) { buffer in
      while true {
        let count = read(source, buffer.baseAddress, buffer.count)
        guard count > 0 else { return }
        guard Glibc.write(target, buffer.baseAddress, count) == count else { fail("cannot copy \(file)") }
      }
    }
  }
}
