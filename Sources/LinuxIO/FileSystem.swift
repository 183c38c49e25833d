import CLinux
import Glibc

/// What kind of file system a path is on.
package enum FileSystem {
  /// The type's name where the file system is a network's: SQLite's WAL needs memory that is shared between
  /// processes, which those do not give. nil for all others, and where it can't be told.
  package static func network(_ path: String) -> String? {
    var status = statfs()
    guard statfs(path, &status) == 0 else { return nil }
    return network(magic: UInt32(truncatingIfNeeded: status.f_type)) { fuseType(of: path) }
  }

  /// - Parameter fuse: Asked for the type's name (`fuse.sshfs`) only where the magic number is FUSE's.
  package static func network(magic: UInt32, fuse: () -> String?) -> String? {
    switch magic {
    case 0x6969: return "nfs"
    case 0xff53_4d42: return "cifs"
    case 0xfe53_4d42: return "smb3"
    case 0x517b: return "smb"
    case 0x0102_1997: return "9p"
    case 0x5346_414f, 0x6b41_4653: return "afs"
    case 0x7375_7245: return "coda"
    case 0x00c3_6400: return "ceph"
    case 0x0bd0_0bd0: return "lustre"
    case 0x7461_636f: return "ocfs2"
    case 0x0116_1970: return "gfs2"
    case 0x6573_5546:
      let networks = ["sshfs", "rclone", "s3fs", "davfs2", "davfs", "glusterfs", "curlftpfs", "gvfsd-fuse"]
      return fuse().flatMap { type in networks.contains { type == "fuse." + $0 } ? type : nil }
    default: return nil
    }
  }

  /// How other users' files look where the user namespace does not know these users, as under PrivateUsers=
  /// (user_namespaces(7), overflowuid).
  package static let overflowUser: uid_t = 65_534

  /// The closest directory above a path in which anybody may rename and remove what is another's: everybody may
  /// write there, and it is not sticky. nil where there is none.
  package static func openParent(of path: String) -> String? {
    var parent = path[...]
    while let slash = parent.lastIndex(of: "/") {
      parent = parent[..<slash]
      let directory = parent.isEmpty ? "/" : String(parent)
      var status = stat()
      if stat(directory, &status) == 0, status.st_mode & (S_IWOTH | mode_t(S_ISVTX)) == S_IWOTH {
        return directory
      }
    }
    return nil
  }

  /// The type of the mount that the path is on, proc_pid_mountinfo(5).
  private static func fuseType(of path: String) -> String? {
    var status = stat()
    guard stat(path, &status) == 0, let file = fopen("/proc/self/mountinfo", "re") else { return nil }
    defer { fclose(file) }
    // How makedev(3) packs the two numbers.
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
