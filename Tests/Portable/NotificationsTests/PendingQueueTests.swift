import CivilTime
import Lifecycle
import Notifications
import Testing
import World

/// Long histories of the queue, compared with a list that is searched from the beginning each time.
struct PendingQueueTests {
  private func request(_ id: String, _ trigger: String) throws -> Request {
    try Request.check(Array(#"{"id":"\#(id)","content":{"title":"x"},"trigger":\#(trigger)}"#.utf8)).get()
  }

  @Test(arguments: 1...8) func `none is lost, and the soonest 64 are armed, whatever happens`(seed: UInt64) throws {
    var chance = SeededGenerator(state: seed)
    var queue = PendingQueue()
    var model: [String: (due: Int, every: Int?)] = [:]
    var now = 1_000_000
    var fired = 0
    for _ in 0..<800 {
      let id = "r\(Int.random(in: 0..<200, using: &chance))"
      switch Int.random(in: 0..<10, using: &chance) {
      case 0..<7:
        let (seconds, repeats) = (Int.random(in: 60...5_000, using: &chance), Bool.random(using: &chance))
        let trigger = #"{"type":"interval","seconds":\#(seconds),"repeats":\#(repeats)}"#
        #expect(queue.add(try request(id, trigger), now: now) { _ in .utc } == nil)
        model[id] = (now + seconds, repeats ? seconds : nil)
      case 7: #expect(queue.remove(id) == (model.removeValue(forKey: id) != nil), "seed \(seed)")
      default:
        now += Int.random(in: 1...200, using: &chance)
        let expected = model.filter { $0.value.due <= now }.map { (id: $0.key, due: $0.value.due) }
          .sorted { ($0.due, $0.id) < ($1.due, $1.id) }
        let firings = queue.fire(now: now) { _ in .utc }
        #expect(firings.map(\.id) == expected.map(\.id), "seed \(seed)")
        #expect(firings.map(\.due) == expected.map(\.due), "seed \(seed)")
        fired += firings.count
        for (id, due) in expected {
          guard let every = model[id]?.every else {
            model[id] = nil
            continue
          }
          model[id]?.due = due + ((now - due) / every + 1) * every
        }
      }
      #expect(queue.count == model.count, "seed \(seed)")
      let soonest = model.map { (id: $0.key, due: $0.value.due) }.sorted { ($0.due, $0.id) < ($1.due, $1.id) }.prefix(
        64)
      #expect(queue.armed.map(\.id) == soonest.map(\.id), "seed \(seed)")
      #expect(queue.next == soonest.first?.due, "seed \(seed)")
    }
    #expect(fired > 100)
    // A queue that was stored is restored the same.
    let restored = PendingQueue(restoring: queue.all.shuffled(using: &chance))
    #expect(restored.armed == queue.armed && restored.all == queue.all)
  }

  @Test func `a full queue says so, and takes the same id still`() throws {
    let trigger = try #require(try request("r", #"{"type":"interval","seconds":5}"#).trigger)
    let entries = (0..<NotificationLimits.pending).map { number in
      PendingQueue.Entry(
        idText: Array("r\(number)".utf8), trigger: trigger, added: 0, last: 0, lastWall: 0, due: 5, isInside: nil)
    }
    var queue = PendingQueue(restoring: entries)
    let refusal = queue.add(try request("one more", #"{"type":"interval","seconds":5}"#), now: 0) { _ in .utc }
    #expect(refusal?.faults.first?.seen == "100000 are pending")
    #expect(queue.add(try request("r7", #"{"type":"interval","seconds":1}"#), now: 0) { _ in .utc } == nil)
    #expect(queue.armed.count == 64 && queue.next == 1 && queue["r7"]?.due == 1 && queue["one more"] == nil)
    #expect(queue.fire(now: 5) { _ in .utc }.count == 100_000 && queue.count == 0)
  }

  @Test func `a trigger's own zone counts`() throws {
    var queue = PendingQueue()
    let trigger = #"{"type":"calendar","components":{"hour":7},"zone":"Asia/Tokyo"}"#
    let tokyo = Zone(name: "Asia/Tokyo", transitions: [], initialOffset: 9 * 3600)
    #expect(queue.add(try request("a", trigger), now: 0) { $0?.text == "Asia/Tokyo" ? tokyo : .utc } == nil)
    #expect(queue.next == 22 * 3600)
  }

  /// The match is compared with a search second by second, around both changes of the clock.
  @Test(arguments: ["Europe/Berlin", "Australia/Lord_Howe", "America/New_York"])
  func `a calendar's next time is the first that the clock shows`(name: String) throws {
    let zone = try systemZone(name)
    let changes = zone.transitions(before: 1_798_000_000).suffix(2)
    for change in changes {
      for components in [#"{"minute":30}"#, #"{"minute":45,"second":30}"#, #"{"second":0}"#] {
        let text = #"{"type":"calendar","components":\#(components),"repeats":true}"#
        let trigger = try #require(try request("a", text).trigger)
        let fixed = try JSONMatch(components)
        var moment = change.instant - 7_200
        while moment < change.instant + 7_200 {
          let next = try #require(trigger.next(after: moment, added: 0, in: zone))
          var searched = moment + 1
          while !fixed.matches(zone.wall(at: searched)), searched < moment + 7_200 { searched += 1 }
          // A time that the clock skips fires later by as much; if the clock shows that time anyway, both are the same.
          #expect(next <= searched, "\(name) \(components) after \(moment)")
          #expect(fixed.matches(zone.wall(at: next)) || next >= change.instant, "\(name) \(components) \(moment)")
          moment = next
        }
      }
    }
  }
}

/// The minute and second of a trigger's components.
private struct JSONMatch {
  var minute: Int?
  var second = 0

  init(_ text: String) throws {
    let numbers = text.split { !$0.isNumber }.compactMap { Int($0) }
    if text.contains("minute") { minute = numbers.first }
    if text.contains("second") { second = numbers.last ?? 0 }
  }

  func matches(_ wall: WallTime) -> Bool {
    (minute.map { wall.secondOfDay / 60 % 60 == $0 } ?? true) && wall.secondOfDay % 60 == second
  }
}
