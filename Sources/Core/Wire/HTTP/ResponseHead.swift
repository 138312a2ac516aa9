import CivilTime

/// Writes the status line and fields of a response (RFC 9112 section 4).
public enum ResponseHead {
  /// The reason phrases of RFC 9110 section 15 and RFC 6585 for the codes in use.
  public static func reason(_ status: Int) -> StaticString {
    switch status {
    case 100: "Continue"
    case 101: "Switching Protocols"
    case 200: "OK"
    case 201: "Created"
    case 202: "Accepted"
    case 204: "No Content"
    case 206: "Partial Content"
    case 302: "Found"
    case 303: "See Other"
    case 304: "Not Modified"
    case 307: "Temporary Redirect"
    case 308: "Permanent Redirect"
    case 400: "Bad Request"
    case 401: "Unauthorized"
    case 403: "Forbidden"
    case 404: "Not Found"
    case 405: "Method Not Allowed"
    case 408: "Request Timeout"
    case 409: "Conflict"
    case 410: "Gone"
    case 412: "Precondition Failed"
    case 413: "Content Too Large"
    case 414: "URI Too Long"
    case 415: "Unsupported Media Type"
    case 416: "Range Not Satisfiable"
    case 426: "Upgrade Required"
    case 429: "Too Many Requests"
    case 431: "Request Header Fields Too Large"
    case 500: "Internal Server Error"
    case 501: "Not Implemented"
    case 503: "Service Unavailable"
    case 505: "HTTP Version Not Supported"
    case 507: "Insufficient Storage"
    default: "Unknown"
    }
  }

  /// Appends "HTTP/1.1 200 OK" and its line break.
  public static func appendStatus(_ status: Int, to bytes: inout [UInt8]) {
    append("HTTP/1.1 ", to: &bytes)
    appendNumber(status, to: &bytes)
    bytes.append(32)
    append(reason(status), to: &bytes)
    append("\r\n", to: &bytes)
  }

  /// Appends one field. The value must have no line break: it is never a peer's unchecked text.
  public static func appendField(_ name: StaticString, _ value: some StringProtocol, to bytes: inout [UInt8]) {
    assert(!value.utf8.contains(13) && !value.utf8.contains(10), "a field's value holds a line break")
    append(name, to: &bytes)
    append(": ", to: &bytes)
    bytes.append(contentsOf: value.utf8)
    append("\r\n", to: &bytes)
  }

  public static func append(_ text: StaticString, to bytes: inout [UInt8]) {
    bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  public static func appendNumber(_ number: Int, to bytes: inout [UInt8]) {
    var digits: (UInt64, UInt64, UInt64) = (0, 0, 0)
    withUnsafeMutableBytes(of: &digits) { digits in
      var rest = number.magnitude
      var start = digits.count
      repeat {
        start -= 1
        digits[start] = UInt8(48 + rest % 10)
        rest /= 10
      } while rest > 0
      if number < 0 { bytes.append(UInt8(ascii: "-")) }
      bytes.append(contentsOf: digits[start...])
    }
  }

  /// An IMF-fixdate such as "Fri, 20 Nov 2026 18:40:00 GMT" (RFC 9110 section 5.6.7).
  /// - Parameter second: seconds since 1970, in the years 0…9999.
  public static func date(_ second: Int) -> String {
    let wall = WallTime(seconds: second)
    let (date, secondOfDay) = (wall.date, wall.secondOfDay)
    let weekday = HTTPDate.weekdays[date.weekday - 1]
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let clock = "\(two(secondOfDay / 3600)):\(two(secondOfDay / 60 % 60)):\(two(secondOfDay % 60))"
    let year = two(date.year / 100) + two(date.year % 100)
    return "\(weekday), \(two(date.day)) \(HTTPDate.months[date.month - 1]) \(year) \(clock) GMT"
  }
}
