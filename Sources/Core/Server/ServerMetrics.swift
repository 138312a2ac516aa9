import Observe

/// A server's metrics, shared by all of its loops.
final class ServerMetrics: Sendable {
  let connections: Gauge
  let connectionsTotal: Counter
  let refusedTotal: Counter
  let shedTotal: Counter
  let webSockets: Gauge
  let eventStreams: Gauge
  /// Seconds from a complete request to the beginning of its response. Immediate responses count as none.
  let latency: Histogram
  /// By HTTP version and by hundreds of the status.
  private let requests: [Counter]
  private static let versions = ["1.1", "2"]
  private static let classes = ["2xx", "3xx", "4xx", "5xx"]

  init(_ metrics: Metrics) {
    connections = metrics.gauge("eightbells_open_connections", help: "Connections that are open.")
    connectionsTotal = metrics.counter("eightbells_connections_total", help: "Connections that were accepted.")
    refusedTotal = metrics.counter(
      "eightbells_refused_connections_total", help: "Connections that were one too many, and closed at once.")
    shedTotal = metrics.counter(
      "eightbells_shed_connections_total",
      help: "Connections that were closed because they held the most of what clients do not take.")
    webSockets = metrics.gauge("eightbells_websockets", help: "WebSockets that are open.")
    eventStreams = metrics.gauge("eightbells_event_streams", help: "Streams of Server-Sent Events that are open.")
    latency = metrics.histogram(
      "eightbells_http_request_seconds", help: "Seconds from a complete request to the beginning of its answer.",
      buckets: Histogram.latency)
    requests = Self.versions.flatMap { version in
      Self.classes.map { status in
        metrics.counter(
          "eightbells_http_requests_total", help: "Requests that were answered.",
          labels: ["version": version, "status": status])
      }
    }
  }

  /// - Parameter seconds: since the request was complete.
  func answered(_ status: Int, isHTTP2: Bool, after seconds: Double) {
    let family = min(max(status / 100, 2), 5) - 2
    requests[(isHTTP2 ? Self.classes.count : 0) + family].add()
    latency.observe(seconds)
  }
}
