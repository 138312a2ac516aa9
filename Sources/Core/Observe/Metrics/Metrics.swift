import Synchronization

/// The registry of a program's metrics, by names, for Prometheus and compatible programs.
///
/// Names follow Prometheus' conventions: the prefix `eightbells_`, base units (`_seconds`, `_bytes`), and the suffix
/// `_total` for counters. Ask for an instrument once and keep it: the registry has a lock, its instruments have none.
/// The same name and labels give the same instrument again; a name that is registered as another kind traps, as does a
/// malformed one.
public final class Metrics: Sendable {
  private struct Family {
    var help: String
    var kind: Kind
    /// By their labels as written.
    var series: [String: Series] = [:]
  }
  enum Kind: String {
    case counter, gauge, histogram
  }
  enum Series {
    case counter(Counter)
    case gauge(Gauge)
    case reading(@Sendable () -> Double)
    case histogram(Histogram)
  }

  private let families = Mutex<[String: Family]>([:])

  public init() {}

  /// A counter; its name ends in `_total`.
  public func counter(_ name: String, help: String, labels: KeyValuePairs<String, String> = [:]) -> Counter {
    let series = series(name, help, .counter, labels) { .counter(Counter()) }
    guard case .counter(let counter) = series else { preconditionFailure("\(name) has a reading already") }
    return counter
  }

  /// A counter that is kept elsewhere and read when the metrics are collected.
  public func counter(
    _ name: String, help: String, labels: KeyValuePairs<String, String> = [:],
    reading: @escaping @Sendable () -> Double
  ) {
    add(reading, name, help, .counter, labels)
  }

  /// A gauge.
  public func gauge(_ name: String, help: String, labels: KeyValuePairs<String, String> = [:]) -> Gauge {
    let series = series(name, help, .gauge, labels) { .gauge(Gauge()) }
    guard case .gauge(let gauge) = series else { preconditionFailure("\(name) has a reading already") }
    return gauge
  }

  /// A gauge whose value is known elsewhere and read when the metrics are collected.
  /// - Parameter reading: called on the collector's thread, so it must neither block nor need a loop; returns NaN when
  ///   unknown.
  public func gauge(
    _ name: String, help: String, labels: KeyValuePairs<String, String> = [:],
    reading: @escaping @Sendable () -> Double
  ) {
    add(reading, name, help, .gauge, labels)
  }

  /// A histogram.
  /// - Parameter buckets: their upper bounds, rising; the same for all histograms of one name.
  public func histogram(
    _ name: String, help: String, buckets: [Double] = Histogram.latency, labels: KeyValuePairs<String, String> = [:]
  ) -> Histogram {
    precondition(!labels.contains { $0.key == "le" }, "a histogram's label le is its bucket's bound")
    let series = series(name, help, .histogram, labels) { .histogram(Histogram(bounds: buckets)) }
    guard case .histogram(let histogram) = series else { preconditionFailure("\(name) is no histogram") }
    precondition(histogram.bounds == buckets, "\(name) has other buckets already")
    return histogram
  }

  /// All metrics in Prometheus' text format, version 0.0.4, sorted by name and labels.
  public func text() -> [UInt8] {
    var text = ""
    // A reading may take locks of code that also counts, so this lock is not held meanwhile.
    for (name, family) in families.withLock({ $0 }).sorted(by: { $0.key < $1.key }) {
      text += "# HELP \(name) \(Exposition.escapedHelp(family.help))\n# TYPE \(name) \(family.kind.rawValue)\n"
      for (labels, series) in family.series.sorted(by: { $0.key < $1.key }) {
        Exposition.write(series, name, labels, to: &text)
      }
    }
    return Array(text.utf8)
  }

  /// The media type of `text`.
  public static let contentType = "text/plain; version=0.0.4; charset=utf-8"

  private func add(
    _ reading: @escaping @Sendable () -> Double, _ name: String, _ help: String, _ kind: Kind,
    _ labels: KeyValuePairs<String, String>
  ) {
    var isNew = false
    _ = series(name, help, kind, labels) {
      isNew = true
      return .reading(reading)
    }
    precondition(isNew, "\(name) is there already: a second reading would hide the first")
  }

  private func series(
    _ name: String, _ help: String, _ kind: Kind, _ labels: KeyValuePairs<String, String>, _ make: () -> Series
  ) -> Series {
    precondition(Exposition.isName(name), "\"\(name)\" is no name of a metric")
    precondition((kind == .counter) == name.hasSuffix("_total"), "\(name): counters, and they alone, end in _total")
    let labels = Exposition.text(of: labels)
    return families.withLock { families in
      var family = families[name] ?? Family(help: help, kind: kind)
      precondition(family.kind == kind, "\(name) is a \(family.kind.rawValue) already")
      defer { families[name] = family }
      if let known = family.series[labels] { return known }
      let new = make()
      family.series[labels] = new
      return new
    }
  }
}
