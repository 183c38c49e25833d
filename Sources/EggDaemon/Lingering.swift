import Glibc

/// Whether the user's services keep running after logout, loginctl(1).
package enum Lingering {
  /// nil if logind does not run.
  package static func isOn(uid: uid_t = getuid()) -> Bool? {
    guard access("/run/systemd/system", F_OK) == 0, let entry = getpwuid(uid) else { return nil }
    return access("/var/lib/systemd/linger/" + String(cString: entry.pointee.pw_name), F_OK) == 0
  }
}
