public enum Product {
  /// The version of this source tree, as in CHANGELOG.md.
  public static let version = "0.1.0"
}
