import Glibc

/// A time in seconds since 1970 as text, in the local zone: "2026-11-20 18:04:05".
func moment(_ seconds: Double) -> String {
  var time = time_t(max(0, min(seconds, 1e11)))
  var parts = tm()
  guard localtime_r(&time, &parts) != nil else { return "?" }
  func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
  return "\(parts.tm_year + 1900)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday)) "
    + "\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec))"
}
