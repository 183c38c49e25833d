/// What eggd and eggctl say about themselves.
public enum Product {
  /// The version of this source tree, as CHANGELOG.md names it.
  public static let version = "0.1.0"
}
