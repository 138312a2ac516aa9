import Device
import Testing
import Wire
import World

/// A hub and a device over a network that cuts and repeats, with a device that is killed between any two steps: what
/// is shown and when is compared with the promise.
struct SimulationTests {
  struct History {
    var random: SeededGenerator
    // The hub.
    var pending: [(id: String, version: Int, isWithdrawn: Bool)] = []
    var sentCount = 0
    var isConnected = false
    var taken: [String] = []
    var withdrawn: Set<String> = []
    var acknowledged: Set<String> = []
    // The device.
    var bench = Bench(prepares: Self.prepares)
    var current: Showing?
    var isPreparing = false
    /// Every third one is changed before it is shown.
    static let prepares: @Sendable (Showing) -> Bool = { Int($0.id).map { $0 % 3 == 0 } ?? false }
    // Everything a person saw: each showing, with its mark for a repetition.
    var seen: [String: [Bool]] = [:]
    var responded: Set<String> = []
    /// Steps until the process is killed.
    var fuse = Int.max
    var kills = 0
    /// Showings before which the process was killed when they were recorded already: only these may be marked at once.
    var unsure: Set<String> = []

    init(seed: UInt64) { random = SeededGenerator(state: seed) }

    mutating func chance(_ one: Int, in all: Int) -> Bool { Int.random(in: 0..<all, using: &random) < one }

    /// Does what the session wants, as far as the process lives.
    mutating func perform(_ effects: [DeviceSession.Effect]) {
      var work = effects
      // Effects that an earlier process still had to carry out are dropped at a kill.
      let life = kills
      while !work.isEmpty, kills == life {
        fuse -= 1
        if fuse <= 0 {
          // Nothing is left to be written before the next showing.
          let written = work.prefix { if case .record = $0 { false } else { true } }
          for case .present(let one) in written where !one.isRepeat { unsure.insert("\(one.id) \(one.version)") }
          return kill()
        }
        switch work.removeFirst() {
        case .connect, .tell, .take: break
        case .send(let message): if isConnected { hear(message) }
        case .disconnect: isConnected = false
        case .record(let entries, _): for entry in entries { bench.record.apply(entry) }
        case .present(let one):
          if one.kind == .show { seen["\(one.id) \(one.version)", default: []].append(one.isRepeat) }
          current = one
          // Killed after the showing, before it is recorded.
          fuse -= 1
          if fuse <= 0 { return kill() }
          work += bench.session.shown(bench.moment)
        case .prepare: isPreparing = true
        case .stop:
          if isPreparing {
            isPreparing = false
            work += bench.session.prepared(nil, bench.moment)
          }
        case .end: break
        }
      }
    }

    mutating func kill() {
      kills += 1
      fuse = Int.max
      current = nil
      isPreparing = false
      isConnected = false
      bench = Bench(bench.record, prepares: Self.prepares)
    }

    mutating func hear(_ message: JSON) {
      let id = message["id"]?.string ?? ""
      switch message["do"]?.string {
      case "ack":
        if message["what"] == "delivered" { return }
        pending.removeAll { $0.id == id && $0.version <= message["version"]!.int! }
        acknowledged.insert(id)
      case "respond":
        // The hub takes it durably; its word may get lost.
        if !taken.contains(id) { taken.append(id) }
        if chance(2, in: 3) { tell(["do": "taken", "id": .string(id), "action": "open"]) }
      default: break
      }
    }

    mutating func tell(_ message: JSON) {
      guard isConnected else { return }
      perform(bench.session.received(message.text, bench.moment))
    }

    mutating func connect() {
      isConnected = true
      perform(bench.session.start())
      perform(bench.session.opened(bench.moment))
      tell(["do": "welcome", "device": "7", "name": "Boat"])
      flush()
    }

    mutating func flush() {
      for one in pending {
        let id = JSON.string(one.id)
        let version = JSON.int(one.version)
        if one.isWithdrawn {
          tell(JSON([("do", "withdraw"), ("id", id), ("version", version), ("reason", "taken_back")]))
        } else {
          tell(JSON([("do", "show"), ("id", id), ("version", version), ("content", ["title": "x"])]))
        }
      }
    }

    mutating func step() {
      bench.now += 1
      bench.uptime += 1
      switch Int.random(in: 0..<12, using: &random) {
      case 0, 1, 2:
        sentCount += 1
        pending.append(("\(sentCount)", 1, false))
        flush()
      case 3 where sentCount > 0:
        let id = "\(Int.random(in: 1...sentCount, using: &random))"
        pending.removeAll { $0.id == id }
        withdrawn.insert(id)
        pending.append((id, 9, true))
        flush()
      case 4: flush()
      case 5: isConnected = false
      case 6, 7: if !isConnected { connect() }
      case 8: fuse = Int.random(in: 1...6, using: &random)
      case 9, 10:
        if isPreparing { prepare() }
        guard let one = current else { break }
        if one.kind == .show, chance(1, in: 2) {
          responded.insert(one.id)
          perform(bench.session.respond(id: one.id, action: "open", text: nil, bench.moment))
          // Killed before it was written: the person's answer is not there.
          if !bench.record.responses.contains(where: { $0.id == one.id }), !taken.contains(one.id) {
            responded.remove(one.id)
          }
        }
        guard current != nil else { break }
        current = nil
        perform(bench.session.finished(bench.moment))
      default: break
      }
    }

    /// The next one has been changed, and is shown.
    mutating func prepare() {
      isPreparing = false
      perform(bench.session.prepared(["title": "changed"], bench.moment))
    }

    /// Nothing fails any more: all that is left arrives.
    mutating func settle() {
      fuse = Int.max
      for _ in 0..<(sentCount + 8) {
        isConnected = false
        kill()
        connect()
        for _ in 0...sentCount {
          if isPreparing { prepare() }
          if current != nil {
            current = nil
            perform(bench.session.finished(bench.moment))
          }
          flush()
        }
        if pending.isEmpty, bench.record.responses.isEmpty { return }
      }
    }
  }

  @Test func `nothing is lost, and nothing is shown twice unmarked, in hundreds of histories`() {
    var (kills, repeats, shown, responses) = (0, 0, 0, 0)
    for seed in 1...UInt64(400) {
      var history = History(seed: seed)
      for _ in 0..<60 { history.step() }
      history.settle()
      #expect(history.pending.isEmpty, "seed \(seed): \(history.pending) was never acknowledged")
      for (name, marks) in history.seen {
        let unmarked = marks.filter { !$0 }.count
        #expect(unmarked == (history.unsure.contains(name) ? 0 : 1), "seed \(seed): \(name) was shown \(marks)")
        repeats += marks.count - 1
      }
      for number in 1...max(1, history.sentCount) where history.sentCount > 0 {
        let id = "\(number)"
        let wasSeen = history.seen["\(id) 1"] != nil
        #expect(wasSeen || history.withdrawn.contains(id), "seed \(seed): \(id) was acknowledged and never shown")
      }
      #expect(history.responded.isSubset(of: history.taken), "seed \(seed): an answer was lost")
      #expect(history.bench.record.responses.isEmpty, "seed \(seed): a response is repeated for ever")
      kills += history.kills
      shown += history.seen.count
      responses += history.taken.count
    }
    // The histories are worth something.
    #expect(kills > 400 && repeats > 12 && shown > 1_200 && responses > 120)
  }
}
