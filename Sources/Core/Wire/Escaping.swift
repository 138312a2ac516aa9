extension String {
  /// The text for HTML and XML, between tags and in quoted attributes. Characters that XML 1.0 (section 2.2) lacks are
  /// replaced.
  package var escapedForMarkup: String {
    var escaped = ""
    for scalar in unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "'": escaped += "&#39;"
      case "\t", "\n", "\r": escaped.unicodeScalars.append(scalar)
      case _ where scalar.value < 32 || scalar.value == 127 || (0xfffe...0xffff).contains(scalar.value):
        escaped += "\u{fffd}"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
