import AnchorWatch
import Glibc

// Times the anchor watch's rules over nights of fixes: a watch that judges, and the raw distance from the anchor. The
// fixes are made before the clock starts, the same as Benchmarks/anchor-rules.mjs makes.

func monotonicSeconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

func measure() {
  let count = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 1_000_000
  let rounds = CommandLine.arguments.dropFirst(2).first.flatMap { Int($0) } ?? 5
  let anchor = Position(latitude: 54.1, longitude: 10.2)!
  let start = 1_790_000_000.0

  // A boat on a circle of 25 m, with an error of up to 5 m; an hour's night again and again.
  var state: UInt32 = 1
  let track = (0..<3_600).map { second in
    state = state &* 1_664_525 &+ 1_013_904_223
    let turned = Double(second) / 600
    let away = 25 + 5 * (Double(state) / 4_294_967_296 - 0.5)
    return anchor.moved(bearing: turned * 57.29577951308232, distance: away)
  }
  var fixes: [Fix] = []
  fixes.reserveCapacity(count)
  for number in 0..<count {
    fixes.append(Fix(time: start + Double(number), position: track[number % track.count]))
  }

  let settings = WatchSettings(anchor: anchor, alarm: .circle(radius: 50))
  var (best, bestReplay, events, farthest) = (Double.infinity, Double.infinity, 0, 0.0)
  for _ in 0..<rounds {
    var watch = AnchorWatch(settings, since: start)
    var began = monotonicSeconds()
    var told = 0
    for fix in fixes { told += watch.take(fix).count }
    best = min(best, monotonicSeconds() - began)
    (events, farthest) = (told, watch.distance)
    var replay = Replay(settings, raw: true)
    began = monotonicSeconds()
    for fix in fixes { replay.take(fix) }
    bestReplay = min(bestReplay, monotonicSeconds() - began)
  }
  print("watch \(Double(count) / best)")
  print("raw \(Double(count) / bestReplay)")
  print("events \(events)")
  print("distance \(farthest)")
}

measure()
