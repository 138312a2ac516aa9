import Wire

/// Writes metrics in Prometheus' text-based exposition format, version 0.0.4.
enum Exposition {
  static func write(_ series: Metrics.Series, _ name: String, _ labels: String, to text: inout String) {
    switch series {
    case .counter(let counter): text += "\(name)\(braced(labels)) \(counter.value)\n"
    case .gauge(let gauge): text += "\(name)\(braced(labels)) \(gauge.value)\n"
    case .reading(let read): text += "\(name)\(braced(labels)) \(number(read()))\n"
    case .histogram(let histogram):
      let (counts, sum) = histogram.reading
      var total: UInt64 = 0
      for (bound, count) in zip(histogram.bounds + [.infinity], counts) {
        total += count
        let le = "le=\"\(number(bound))\""
        text += "\(name)_bucket{\(labels.isEmpty ? le : labels + "," + le)} \(total)\n"
      }
      text += "\(name)_sum\(braced(labels)) \(number(sum))\n\(name)_count\(braced(labels)) \(total)\n"
    }
  }

  /// The labels as written between the braces, sorted by name.
  static func text(of labels: KeyValuePairs<String, String>) -> String {
    let sorted = labels.sorted { $0.key < $1.key }
    for (label, next) in zip(sorted, sorted.dropFirst()) {
      precondition(label.key != next.key, "the label \(label.key) stands twice")
    }
    return sorted.map { name, value in
      precondition(isLabelName(name), "\"\(name)\" is no name of a label")
      return "\(name)=\"\(escapedValue(value))\""
    }.joined(separator: ",")
  }

  static func isName(_ name: String) -> Bool {
    !beginsWithDigit(name) && name.isAlphanumeric(or: "_:")
  }

  /// True for a valid label name; names with two underscores in front are Prometheus' own.
  static func isLabelName(_ name: String) -> Bool {
    !beginsWithDigit(name) && name.isAlphanumeric(or: "_") && !name.hasPrefix("__")
  }

  static func escapedHelp(_ text: String) -> String {
    text.replacing("\\", with: "\\\\").replacing("\n", with: "\\n")
  }

  private static func escapedValue(_ text: String) -> String {
    escapedHelp(text).replacing("\"", with: "\\\"")
  }

  /// The number as Go's ParseFloat reads it; whole numbers without a fraction.
  static func number(_ value: Double) -> String {
    if value.isNaN { return "NaN" }
    if value.isInfinite { return value < 0 ? "-Inf" : "+Inf" }
    return Int(exactly: value).map(String.init) ?? "\(value)"
  }

  private static func braced(_ labels: String) -> String { labels.isEmpty ? "" : "{\(labels)}" }

  /// True also for an empty one.
  private static func beginsWithDigit(_ name: String) -> Bool { (48...57).contains(name.utf8.first ?? 48) }
}
