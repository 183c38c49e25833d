import Gettext
import Glibc
import LinuxIO

/// A folder of .ics files, one an entry: a vdir (vdirsyncer's vdir.rst). Files that begin with a dot are not
/// part of it.
struct SyncFolder {
  let path: String

  /// What tells that a file was not changed: a rename gives it another inode, a write another moment or size.
  struct Stamp: Codable, Hashable {
    var file: UInt64
    var size: Int64
    /// In ns since the epoch.
    var modifiedAt: Int64
  }

  /// Longer files are not read.
  static let longest = 4 << 20

  /// All entries' files by name; nil if there is no such folder.
  func scan() throws -> [String: Stamp]? {
    guard let names = FileSystem.names(in: path) else {
      if errno == ENOENT { return nil }
      throw failure(path, errno)
    }
    var files: [String: Stamp] = [:]
    for name in names where name.hasSuffix(".ics") && !name.hasPrefix(".") { files[name] = stamp(of: name) }
    return files
  }

  /// nil if it is no regular file.
  func stamp(of name: String) -> Stamp? { Self.stamp(at: "\(path)/\(name)") }

  private static func stamp(at path: String) -> Stamp? {
    guard let status = FileSystem.status(path), status.st_mode & S_IFMT == S_IFREG else {
      return nil
    }
    let modified = Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec)
    return Stamp(file: UInt64(status.st_ino), size: Int64(status.st_size), modifiedAt: modified)
  }

  /// nil if the file is gone; of one that is too long its beginning.
  func read(_ name: String) throws -> [UInt8]? {
    do throws(SafeFile.Failure) {
      return try SafeFile.read("\(path)/\(name)", upTo: Self.longest + 1)
    } catch {
      if [.failed(ENOENT), .notRegular].contains(error) { return nil }
      throw failure(name, error.code)
    }
  }

  func create() throws {
    if let folder = FileSystem.makeDirectories(path) {
      throw Failure(.refused, tr("\(folder.visible) cannot be created: \(Gettext.reason(errno))"))
    }
  }

  /// A name for a file that is written beside its place. Where others may write to the folder, they cannot be there first.
  static func stagingName() -> String {
    ".eggctl-" + String(UInt128.random(in: 0 ... .max), radix: 36) + ".tmp"
  }

  /// Where a file is written: where a link of this user's own leads. Where others may write to the folder, a link of
  /// theirs is not followed but replaced.
  private func place(of name: String) -> (folder: String, file: String) {
    var status = stat()
    let file = "\(path)/\(name)"
    guard lstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFLNK, status.st_uid == geteuid(),
      let real = FileSystem.realPath(file), let end = real.lastIndex(of: "/")
    else { return (path, file) }
    return (String(real[..<end]), real)
  }

  /// Writes a file beside its place; ``publish(_:as:over:)`` puts it there.
  func stage(_ staged: String, _ bytes: [UInt8], as name: String) throws {
    let place = place(of: name)
    do throws(SafeFile.Failure) {
      try SafeFile.write(bytes, to: "\(place.folder)/\(staged)", like: place.file)
    } catch {
      throw failure(name, error.code)
    }
    if place.folder != path { FileSystem.sync(place.folder) }
  }

  func isStaged(_ staged: String, as name: String) -> Bool {
    access("\(place(of: name).folder)/\(staged)", F_OK) == 0
  }

  /// Puts a staged file in its place. False if something else is there than what it replaces.
  func publish(_ staged: String, as name: String, over replaced: Stamp?) throws -> Bool {
    let place = place(of: name)
    // Of the place itself: the link may lead elsewhere by now.
    guard Self.stamp(at: place.file) == replaced else { return false }
    guard rename("\(place.folder)/\(staged)", place.file) == 0 else { throw failure(name, errno) }
    if place.folder != path { FileSystem.sync(place.folder) }
    return true
  }

  func unstage(_ staged: String, as name: String) { unlink("\(place(of: name).folder)/\(staged)") }

  /// Removes a file if it still is what it was.
  func remove(_ name: String, _ stamp: Stamp) throws {
    guard self.stamp(of: name) == stamp else { return }
    guard unlink("\(path)/\(name)") == 0 || errno == ENOENT else { throw failure(name, errno) }
  }

  /// Makes what was staged, published and removed last through a power cut.
  func settle() { FileSystem.sync(path) }

  private func failure(_ name: String, _ code: Int32) -> Failure {
    Failure(.refused, tr("\(name.visible) cannot be used: \(Gettext.reason(code))"))
  }
}
