import Observe
import Testing

struct MetricsTests {
  func text(of metrics: Metrics) -> String { String(decoding: metrics.text(), as: UTF8.self) }

  @Test func `nothing counted writes nothing`() {
    #expect(Metrics().text().isEmpty)
  }

  @Test func `families stand in the order of their names, series in that of their labels`() {
    let metrics = Metrics()
    metrics.gauge("b_open", help: "Open now.").set(-3)
    metrics.counter("c_total", help: "Asked.", labels: ["method": "POST", "code": "200"]).add(2)
    metrics.counter("c_total", help: "Asked.", labels: ["code": "200", "method": "GET"]).add()
    metrics.gauge("a_bytes", help: "Used.") { 0.25 }
    #expect(
      text(of: metrics) == """
        # HELP a_bytes Used.
        # TYPE a_bytes gauge
        a_bytes 0.25
        # HELP b_open Open now.
        # TYPE b_open gauge
        b_open -3
        # HELP c_total Asked.
        # TYPE c_total counter
        c_total{code="200",method="GET"} 1
        c_total{code="200",method="POST"} 2

        """)
  }

  @Test func `a histogram adds up from bucket to bucket, and a bound is part of its bucket`() {
    let metrics = Metrics()
    let histogram = metrics.histogram("t_seconds", help: "Waited.", buckets: [0.5, 1], labels: ["route": "/"])
    for value in [0.25, 0.5, 0.75, 8] { histogram.observe(value) }
    #expect(
      text(of: metrics) == """
        # HELP t_seconds Waited.
        # TYPE t_seconds histogram
        t_seconds_bucket{route="/",le="0.5"} 2
        t_seconds_bucket{route="/",le="1"} 3
        t_seconds_bucket{route="/",le="+Inf"} 4
        t_seconds_sum{route="/"} 9.5
        t_seconds_count{route="/"} 4

        """)
  }

  @Test func `what would break a line is escaped`() {
    let metrics = Metrics()
    metrics.counter("c_total", help: "Back\\slash,\nline \"quoted\".", labels: ["path": "a\\b\"c\nd"]).add()
    #expect(
      text(of: metrics) == """
        # HELP c_total Back\\\\slash,\\nline "quoted".
        # TYPE c_total counter
        c_total{path="a\\\\b\\"c\\nd"} 1

        """)
  }

  @Test func `numbers are those that Prometheus reads`() {
    let metrics = Metrics()
    let values = ["a": Double.nan, "b": .infinity, "c": -.infinity, "d": 0.00001, "e": 1_795_200_000, "f": 1e300]
    for (label, value) in values { metrics.gauge("g", help: "", labels: ["of": label]) { value } }
    let written = text(of: metrics).split(separator: "\n").dropFirst(2).map { $0.split(separator: " ")[1] }
    #expect(written == ["NaN", "+Inf", "-Inf", "1e-05", "1795200000", "1e+300"])
  }

  @Test func `the same name and labels give the same instrument, in whatever order`() {
    let metrics = Metrics()
    let one = metrics.counter("c_total", help: "", labels: ["a": "1", "b": "2"])
    #expect(one === metrics.counter("c_total", help: "", labels: ["b": "2", "a": "1"]))
    #expect(one !== metrics.counter("c_total", help: "", labels: ["a": "1", "b": "3"]))
    #expect(metrics.histogram("h_seconds", help: "") === metrics.histogram("h_seconds", help: ""))
    #expect(metrics.gauge("g", help: "") === metrics.gauge("g", help: ""))
  }

  @Test func `a reading is read each time, and may look at the registry itself`() {
    let metrics = Metrics()
    let counter = metrics.counter("c_total", help: "")
    metrics.gauge("twice", help: "") { Double(metrics.counter("c_total", help: "").value * 2) }
    counter.add(4)
    #expect(text(of: metrics).contains("\ntwice 8\n"))
    counter.add()
    #expect(text(of: metrics).contains("\ntwice 10\n"))
  }

  @Test func `many threads lose nothing`() async {
    let metrics = Metrics()
    let counter = metrics.counter("c_total", help: "")
    let gauge = metrics.gauge("g", help: "")
    let histogram = metrics.histogram("h_seconds", help: "", buckets: [1, 2])
    await withTaskGroup { group in
      for task in 0..<4 {
        group.addTask {
          for _ in 0..<20_000 {
            counter.add()
            if task % 2 == 0 { gauge.add(3) } else { gauge.subtract(2) }
            histogram.observe(Double(task % 3) + 0.5)
          }
        }
      }
    }
    #expect(counter.value == 80_000)
    #expect(gauge.value == 40_000)
    #expect(histogram.reading == ([40_000, 20_000, 20_000], 100_000))
  }

  @Test(arguments: ["1st_total", "with space_total", "größe_total", "", "c"])
  func `a name that is none of a counter's traps`(name: String) async {
    await #expect(processExitsWith: .failure) { [name] in
      _ = Metrics().counter(name, help: "")
    }
  }

  @Test func `the same name as another kind, with other buckets or a second reading traps`() async {
    await #expect(processExitsWith: .failure) {
      let metrics = Metrics()
      _ = metrics.gauge("one_seconds", help: "")
      _ = metrics.histogram("one_seconds", help: "")
    }
    await #expect(processExitsWith: .failure) {
      let metrics = Metrics()
      _ = metrics.histogram("one_seconds", help: "", buckets: [1])
      _ = metrics.histogram("one_seconds", help: "", buckets: [1, 2])
    }
    await #expect(processExitsWith: .failure) {
      let metrics = Metrics()
      metrics.gauge("one", help: "") { 1 }
      metrics.gauge("one", help: "") { 2 }
    }
  }

  @Test func `the buckets of latency reach from half a millisecond to ten seconds`() {
    #expect(Histogram.latency.first == 0.0005)
    #expect(Histogram.latency.last == 10)
  }
}
