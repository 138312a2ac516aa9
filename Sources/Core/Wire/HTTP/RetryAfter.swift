/// The field `Retry-After` of an answer (RFC 9110 section 10.2.3).
public enum RetryAfter {
  /// The seconds that it asks for, at most `longest`; nil for what is no number and no date.
  public static func seconds(_ text: String, now: Double, longest: Double) -> Double? {
    let isNumber = !text.isEmpty && text.utf8.allSatisfy { $0 >= 48 && $0 <= 57 }
    // A number that is too long for an Int is a long time, too.
    let seconds = isNumber ? Double(text) : HTTPDate.seconds(text, now: Int(now)).map { Double($0) - now }
    return seconds.map { min(max($0, 0), longest) }
  }
}
