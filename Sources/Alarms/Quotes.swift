extension String {
  /// One word of a POSIX shell, and of an ``AlarmCommand``'s text.
  package var inSingleQuotes: String { "'" + replacingEach("'", with: "'\\''") + "'" }

  /// Replaces a scalar wherever it stands. A mark beside it can join it into a Character that does not equal it, but
  /// shells and systemd read bytes.
  package func replacingEach(_ scalar: Unicode.Scalar, with text: String) -> String {
    var replaced = String.UnicodeScalarView()
    for each in unicodeScalars {
      if each == scalar { replaced.append(contentsOf: text.unicodeScalars) } else { replaced.append(each) }
    }
    return String(replaced)
  }
}
