import AnchorWatch
import Testing

@testable import Anchor

/// The second watch as a value: two devices, and time that is told.
struct HubWatchTests {
  private static let anchor = Position(latitude: 54.1, longitude: 10.2)!
  private static let (agent, phone, page) = (1, 2, 3)

  /// A night in which she lies within 40 m of her anchor, with the boat's agent and a phone that reports seldom.
  private struct Night {
    var watch: HubWatch
    var now = 1_795_200_000.0
    var news: [WatchNews] = []

    init(phone interval: Double = 2_100) {
      var sources = [Source(name: "boat", kind: .agent, last: now), Source(name: "phone", kind: .owntracks, last: now)]
      (sources[0].id, sources[1].id, sources[1].interval) = (agent, phone, interval)
      watch = HubWatch(
        WatchSettings(anchor: anchor, alarm: .circle(radius: 40)), sources: sources, since: now - 600, now: now)
    }

    /// A report: she lies so many metres north of her anchor, now or some seconds ago.
    mutating func tell(
      _ id: Int, _ metres: Double?, ago: Double = 0, accuracy: Double? = 4, state: String = "holding"
    ) {
      guard var source = watch.sources[id] else { return }
      let fix = metres.map {
        Fix(time: now - ago, position: anchor.moved(bearing: 0, distance: $0), accuracy: accuracy)
      }
      (source.last, source.fix) = (now, fix ?? source.fix)
      if source.kind == .agent { source.state = state }
      watch.heard(source)
      news += watch.take(fix.map { [$0] } ?? [], from: id, now: now)
    }

    /// The hub looks each five seconds; a look without news is thrown away.
    mutating func pass(_ seconds: Double) {
      for _ in 0..<Int(seconds / 5) {
        now += 5
        var ahead = watch
        let found = ahead.pass(to: now)
        if found.isEmpty, ahead.sources == watch.sources { continue }
        news += found
        watch = ahead
      }
    }

    /// The agent reports each minute, after the look.
    mutating func lie(_ metres: Double, minutes: Int) {
      for _ in 0..<minutes {
        pass(60)
        tell(agent, metres)
      }
    }

    var chosen: Int? { watch.chosen }

    var standings: [Standing] {
      news.compactMap { if case .standing(let standing, _, _) = $0 { standing } else { nil } }
    }
  }

  @Test func `news of an evening make no position of the night one of the future`() {
    var night = Night(phone: 50)
    night.tell(Self.phone, 21)
    night.lie(20, minutes: 40)
    #expect(night.watch.sources[Self.phone]?.told.contains(.lost) == true)
    #expect(night.standings == [.holding] && night.watch.watch?.refused == 0)
  }

  @Test func `a device that was late when the watch was armed is told of, and one that was lost by then is not`() {
    for (before, isTold) in [(50.0, true), (100, true), (150, false), (500, false)] {
      var night = Night()
      var sources = ["boat", "phone"].map { Source(name: $0, kind: .page, last: night.now) }
      (sources[0].id, sources[1].id, sources[1].last) = (Self.agent, Self.phone, night.now - before)
      let settings = WatchSettings(anchor: Self.anchor, alarm: .circle(radius: 40))
      night.watch = HubWatch(settings, sources: sources, since: night.now, now: night.now)
      // The hub has run for long.
      night.watch.goOn(from: HubWatch(nil, sources: [], since: 0, now: night.now - 3_600), now: night.now)
      night.lie(20, minutes: 10)
      #expect(night.news.contains { if case .lost = $0 { true } else { false } } == isTold, "\(before) s before")
    }
  }

  @Test func `an alarm is not ended by where she was before it, nor by a fix outside`() {
    var night = Night()
    night.tell(Self.phone, 20)
    night.lie(20, minutes: 2)
    night.lie(60, minutes: 2)
    #expect(night.standings == [.holding, .alarm])
    // The phone is far more exact now, and then the only one that is heard.
    night.tell(Self.agent, 60, accuracy: 40)
    #expect(night.standings == [.holding, .alarm])
    night.pass(300)
    #expect(night.standings == [.holding, .alarm, .positionLost])
    night.tell(Self.phone, 300)
    #expect(night.watch.standing == .alarm)
    night.pass(2_100)
    night.tell(Self.phone, 20)
    #expect(night.standings == [.holding, .alarm, .positionLost, .alarm, .positionLost, .holding])
  }

  @Test func `a boat outside whose receiver knows no place any more is an alarm of its own`() {
    var night = Night()
    night.lie(60, minutes: 3)
    for _ in 0..<3 {
      night.pass(60)
      night.tell(Self.agent, nil, state: "alarm")
    }
    #expect(night.standings == [.holding, .alarm, .positionLost])
    night.tell(Self.agent, 60, state: "alarm")
    #expect(night.watch.standing == .alarm)
  }

  @Test func `a phone that seldom tells does not stand in for an agent that falls silent`() {
    var night = Night()
    night.lie(20, minutes: 3)
    night.tell(Self.phone, 20)
    night.pass(130)
    #expect(night.standings == [.holding, .waiting] && !night.watch.isBlind(now: night.now))
    night.pass(10)
    #expect(night.standings.last == .positionLost && night.watch.isBlind(now: night.now))
    // Its place counts for as long as any other.
    night.tell(Self.phone, 21)
    night.pass(115)
    #expect(night.watch.standing == .holding)
    night.pass(5)
    #expect(night.watch.standing == .positionLost)
    night.tell(Self.agent, 20)
    night.pass(60)
    #expect(night.watch.standing == .holding && !night.watch.isBlind(now: night.now))
  }

  @Test func `a phone that seldom tells does not stand in for an agent that knows no place`() {
    var night = Night()
    night.lie(20, minutes: 3)
    night.tell(Self.phone, 20)
    for minute in 1...5 {
      night.pass(60)
      night.tell(Self.agent, nil, state: "lost")
      #expect(night.watch.standing == (minute < 2 ? .holding : .positionLost))
    }
  }

  @Test func `a phone alone that seldom tells rings nobody, and nobody says that she holds meanwhile`() {
    var night = Night()
    night.watch.forget(Self.agent)
    for _ in 0..<3 {
      night.tell(Self.phone, 20)
      #expect(night.watch.standing == .holding)
      night.pass(115)
      #expect(night.watch.standing == .holding)
      night.pass(5)
      #expect(night.watch.standing == .waiting)
      night.pass(1_980)
    }
    #expect(night.standings == [.holding, .waiting, .holding, .waiting, .holding, .waiting])
  }

  @Test func `a boat that swings away from the last place of a phone that tells seldom is no disagreement`() {
    var night = Night()
    night.tell(Self.phone, 36)
    night.lie(36, minutes: 2)
    func objections() -> Int { night.news.count { if case .objects = $0 { true } else { false } } }
    night.lie(-36, minutes: 10)
    #expect(objections() == 0 && night.watch.agrees(Self.phone, now: night.now) == nil)
    night.tell(Self.phone, 36)
    #expect(objections() == 1)
  }

  @Test func `an agent that tells often takes over from a phone that seldom does`() {
    var night = Night()
    night.tell(Self.phone, 20)
    #expect(night.chosen == Self.phone)
    night.tell(Self.agent, 20, accuracy: nil)
    #expect(night.chosen == Self.agent)
    // A page tells as often, and the agent is no reason to leave it.
    night = Night(phone: 50)
    night.tell(Self.phone, 20)
    night.tell(Self.agent, 20, accuracy: nil)
    #expect(night.chosen == Self.phone)
  }

  @Test func `whoever tells often counts also if a phone that seldom tells is a little more exact`() {
    var night = Night()
    night.tell(Self.phone, 20)
    // To leave it takes more than to take it.
    for (accuracy, chosen) in [
      (30.0, Self.phone), (16, Self.agent), (40, Self.agent), (45, Self.phone), (30, Self.phone), (27, Self.agent),
    ] {
      night.tell(Self.agent, 20, accuracy: accuracy)
      #expect(night.chosen == chosen, "\(accuracy) m of error")
    }
  }

  @Test func `a page that sees her drag rings, though a phone that seldom tells is a metre more exact`() {
    var night = Night()
    var page = Source(name: "page", kind: .page, last: night.now)
    (page.id, page.interval) = (Self.page, 50)
    night.watch.heard(page)
    night.tell(Self.phone, 20)
    for _ in 0..<4 {
      night.pass(30)
      night.tell(Self.page, 55, accuracy: 5)
    }
    #expect(night.chosen == Self.page && night.standings.last == .alarm)
  }

  @Test func `an agent whose own watch sees her outside is believed, whoever counted before`() {
    var night = Night(phone: 50)
    night.tell(Self.phone, 20, accuracy: 1)
    night.tell(Self.agent, 22, accuracy: 20)
    #expect(night.chosen == Self.phone)
    night.pass(30)
    night.tell(Self.phone, 21, accuracy: 1)
    night.tell(Self.agent, 55, accuracy: 20, state: "alarm")
    #expect(night.chosen == Self.agent && night.standings == [.holding, .alarm])
    night.pass(30)
    night.tell(Self.agent, 20, accuracy: 20)
    #expect(night.standings == [.holding, .alarm, .holding])
  }
}
