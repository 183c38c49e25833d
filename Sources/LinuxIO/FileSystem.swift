import CLinux
import Glibc

package enum FileSystem {
  /// stat(2); nil with errno set.
  package static func status(_ path: String) -> stat? {
    var status = stat()
    return stat(path, &status) == 0 ? status : nil
  }

  package static func isFile(_ path: String) -> Bool {
    status(path).map { $0.st_mode & S_IFMT == S_IFREG } ?? false
  }

  /// The type of a network file system; nil for all others, and if unknown. SQLite's WAL needs memory shared
  /// between processes, which network file systems lack.
  package static func network(_ path: String) -> String? {
    mountType(of: path).flatMap { isNetwork($0) ? $0 : nil }
  }

  package static func isNetwork(_ type: String) -> Bool {
    [
      "nfs", "nfs4", "cifs", "smb3", "9p", "afs", "coda", "ceph", "lustre", "ocfs2", "gfs2", "fuse.sshfs",
      "fuse.rclone", "fuse.s3fs", "fuse.davfs2", "fuse.davfs", "fuse.glusterfs", "fuse.curlftpfs",
      "fuse.gvfsd-fuse",
    ].contains(type)
  }

  /// The owner that a user namespace shows for unknown users, as under PrivateUsers= (user_namespaces(7),
  /// overflowuid).
  package static let overflowUser: uid_t = 65_534

  /// Makes a directory and those above it, for this user alone.
  ///
  /// - Returns: The one that cannot be made, with errno set; nil where all are there.
  package static func makeDirectories(_ path: String) -> String? {
    var end = path.startIndex
    while end < path.endIndex {
      end = path[path.index(after: end)...].firstIndex(of: "/") ?? path.endIndex
      let directory = String(path[..<end])
      guard mkdir(directory, 0o700) != 0, errno != EEXIST else { continue }
      // For an existing directory mkdir(2) may fail in other ways (EROFS, EACCES).
      let failure = errno
      guard access(directory, F_OK) != 0 else { continue }
      errno = failure
      return directory
    }
    return nil
  }

  /// The names in a directory, in no order; nil with errno set where it cannot be read.
  package static func names(in directory: String) -> [String]? {
    guard let entries = opendir(directory) else { return nil }
    defer { closedir(entries) }
    var names: [String] = []
    while let entry = readdir(entries) {
      names.append(
        withUnsafeBytes(of: &entry.pointee.d_name) {
          String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
        })
    }
    return names
  }

  /// realpath(3); nil where nothing has that path.
  package static func realPath(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
  }

  /// This program's file, proc_pid_exe(5).
  package static var program: String? { realPath("/proc/self/exe") }

  /// Another program of the same installation: beside this one, or in `folder` beside its directory; nil where it is in
  /// neither.
  package static func program(named name: String, orIn folder: Substring) -> String? {
    guard let program else { return nil }
    let directory = program.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    let places = [directory, directory.dropLast() + [folder]]
    return places.map { $0.joined(separator: "/") + "/" + name }.first { access($0, X_OK) == 0 }
  }

  /// fsync(2) of a directory: makes the names in it as durable as the files.
  package static func sync(_ directory: String) {
    let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }

  /// The closest parent directory in which anybody may rename and remove other users' files: world-writable
  /// and not sticky. nil for none.
  package static func openParent(of path: String) -> String? {
    var parent = path[...]
    while let slash = parent.lastIndex(of: "/") {
      parent = parent[..<slash]
      let directory = parent.isEmpty ? "/" : String(parent)
      if let status = status(directory), status.st_mode & (S_IWOTH | mode_t(S_ISVTX)) == S_IWOTH {
        return directory
      }
    }
    return nil
  }

  /// Why another user could change what has this path; nil if only this user and root can. The members of its group are
  /// trusted: on many machines each user has one of their own.
  package static func exposure(of path: String) -> String? {
    guard let real = realPath(path), let status = status(real) else { return nil }
    // In a user namespace, root is the overflow user.
    guard [geteuid(), 0, overflowUser].contains(status.st_uid) else {
      return "it belongs to user \(status.st_uid)"
    }
    guard status.st_mode & S_IWOTH == 0 else { return "it can be written by anybody" }
    return openParent(of: real).map { "anybody can replace what is in '\($0)'" }
  }

  /// The path's mount type, proc_pid_mountinfo(5).
  private static func mountType(of path: String) -> String? {
    guard let status = status(path), let file = fopen("/proc/self/mountinfo", "re") else { return nil }
    defer { fclose(file) }
    // The packing of makedev(3).
    let device = UInt64(status.st_dev)
    let major = device >> 8 & 0xfff | device >> 32 & ~0xfff
    let minor = device & 0xff | device >> 12 & ~0xff & 0xffff_ffff
    var line: UnsafeMutablePointer<CChar>?
    var size = 0
    defer { free(line) }
    while getline(&line, &size, file) > 0, let line {
      let fields = String(cString: line).split(separator: " ")
      guard fields.count > 2, fields[2] == "\(major):\(minor)", let dash = fields.firstIndex(of: "-") else {
        continue
      }
      if dash + 1 < fields.count { return String(fields[dash + 1]) }
    }
    return nil
  }
}

extension String {
  /// With all bytes as %XX but ASCII letters, digits and `others`: RFC 3986, section 2.1.
  package func percentEncoded(keeping others: String) -> String {
    var text = ""
    for byte in utf8 {
      let scalar = Unicode.Scalar(byte)
      if scalar.isASCII,
        scalar.properties.isAlphabetic || scalar.properties.numericType != nil
          || others.unicodeScalars.contains(scalar)
      {
        text.unicodeScalars.append(scalar)
      } else {
        text += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }
    return text
  }
}
