import Space
import Testing
import World

struct SignStateTests {
  /// An event of the sign. Every report promises the next within 10 s.
  enum Happening: Equatable {
    case says(Bool)
    case reports(Bool)
    case passes(Double)
    case undoes
  }

  /// A door and its sign, driven as by the hub: silence is noticed at its deadline.
  struct Door {
    var state = SignState()
    var now = 1_000.0
    var before: Sign?

    mutating func meet(_ happening: Happening) {
      switch happening {
      case .says(let open):
        before = state.sign
        state.turn(SignTurn(open: open), now: Int(now))
      case .reports(let open): state.hear(open: open, heartbeat: 10, now: now)
      case .passes(let seconds):
        if let patience = state.patience(now: now), patience <= seconds, let report = state.contact?.report {
          state.fallSilent(since: report, now: now + patience)
        }
        now += seconds
      case .undoes:
        guard let before else { return }
        state.restore(before, now: now)
        if let report = state.contact?.report, state.isOverdue(now: now) { state.fallSilent(since: report, now: now) }
        self.before = nil
      }
    }
  }

  @Test(
    arguments: [
      ([], nil, nil),
      ([.reports(true)], true, .contact),
      ([.reports(false), .passes(19)], false, .contact),
      ([.reports(true), .passes(20)], nil, .contact),
      ([.reports(true), .passes(19), .reports(true), .passes(19)], true, .contact),
      ([.reports(true), .passes(30), .reports(true)], true, .contact),
      ([.reports(true), .passes(30), .reports(false)], false, .contact),
      // A person's statement holds until the contact changes.
      ([.says(true)], true, .person),
      ([.says(true), .passes(1_000)], true, .person),
      ([.says(true), .reports(false)], false, .contact),
      ([.reports(true), .says(false), .reports(true)], false, .person),
      ([.reports(true), .says(false), .reports(true), .reports(false)], false, .contact),
      ([.reports(true), .says(false), .reports(true), .reports(false), .reports(true)], true, .contact),
      ([.reports(true), .says(true), .passes(100)], true, .person),
      ([.reports(true), .says(false), .passes(100), .reports(true)], false, .person),
      ([.reports(true), .says(false), .passes(100), .reports(false)], false, .contact),
      ([.reports(true), .says(false), .reports(false), .passes(100)], nil, .contact),
      ([.reports(true), .passes(100), .says(false)], false, .person),
      // An undone statement has no effect.
      ([.reports(true), .says(false), .undoes], true, .contact),
      ([.reports(true), .says(false), .passes(25), .undoes], nil, .contact),
      ([.reports(true), .passes(25), .says(false), .reports(true), .undoes], true, .contact),
      ([.says(true), .says(false), .undoes], true, .person),
      ([.says(true), .undoes], nil, nil),
    ] as [([Happening], Bool?, Sign.Source?)])
  func `each thing that happens has its outcome`(happenings: [Happening], open: Bool?, source: Sign.Source?) {
    var door = Door()
    for happening in happenings { door.meet(happening) }
    #expect(door.state.sign.open == open)
    #expect(door.state.sign.source == source)
  }

  @Test func `the same again keeps the time of the change, and silence is a change`() {
    var door = Door()
    for happening: Happening in [.reports(true), .passes(5), .reports(true), .passes(5), .says(true)] {
      door.meet(happening)
      #expect(door.state.sign.lastChange == 1_000)
    }
    door = Door()
    for happening: Happening in [.reports(true), .passes(50)] { door.meet(happening) }
    #expect(door.state.sign.unknownSince == 1_020)
    door.meet(.reports(true))
    #expect(door.state.sign.lastChange == 1_050)
    #expect(door.state.sign.unknownSince == nil)
  }

  @Test func `a report that came meanwhile keeps the sign from falling silent`() {
    var state = SignState()
    state.hear(open: true, heartbeat: 10, now: 0)
    state.hear(open: true, heartbeat: 10, now: 15)
    state.fallSilent(since: 1, now: 20)
    #expect(state.sign.open == true)
    state.fallSilent(since: 2, now: 35)
    #expect(state.sign.open == nil)
  }

  @Test func `a clock that was set back does not let a dead contact live on`() {
    var state = SignState()
    state.hear(open: true, heartbeat: 10, now: 1_000_000)
    #expect(state.patience(now: 500) == 20)
    state.fallSilent(since: 1, now: 520)
    #expect(state.sign.open == nil)
    #expect(state.sign.unknownSince == 1_000_000)
  }

  @Test(arguments: 0..<300)
  func `whatever happens, the sign says no more than what somebody vouches for`(seed: UInt64) {
    var dice = SeededGenerator(state: seed)
    var door = Door()
    var heardAt = -Double.infinity
    for step in 0..<200 {
      let old = door.state.sign
      let all: [Happening] = [
        .says(.random(using: &dice)), .reports(.random(using: &dice)), .reports(.random(using: &dice)),
        .passes(.random(in: 0...30, using: &dice)), .undoes,
      ]
      let happening = all.randomElement(using: &dice)!
      let contact = door.state.contact
      door.meet(happening)
      if case .reports = happening { heardAt = door.now }
      let sign = door.state.sign
      let note: Comment = "seed \(seed), step \(step), \(happening)"
      if sign.open != nil, sign.source == .contact {
        #expect(door.now - heardAt < 20, note)
        #expect(sign.open == door.state.contact?.open, note)
      }
      if case .reports(let open) = happening, old.source == .person, contact?.open == open {
        #expect(sign == old, note)
      }
      if case .says(let open) = happening { #expect(sign.open == open && sign.source == .person, note) }
      if case .passes = happening, old.source == .person { #expect(sign == old, note) }
      #expect((sign.open == nil) == (sign.state == "unknown"), note)
      #expect(sign.open == nil || sign.lastChange != nil, note)
      #expect(Double(sign.lastChange ?? 0) <= door.now, note)
    }
  }
}
