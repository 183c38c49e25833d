import Glibc

/// Sizes in MiB.
enum MiB {
  /// Of a file.
  static func ofFile(_ path: String) -> Double {
    var status = stat()
    return stat(path, &status) == 0 ? Double(status.st_size) / 1_048_576 : .nan
  }
}
