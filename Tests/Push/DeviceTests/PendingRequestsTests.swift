import Device
import Glibc
import Testing
import Wire
import World

struct PendingRequestsTests {
  static let noon = 1_795_200_000.0

  /// Triggers of these tests: "at" seconds since 1970, or "every" so many seconds.
  static func plan(_ request: JSON, _ after: Double, _ since: Double) -> PendingRequests.Plan {
    if let at = request["trigger"]?["at"]?.number { return at > after ? .at(at) : .never }
    guard let every = request["trigger"]?["every"]?.number else { return .refused("trigger: missing.") }
    return .at(since + (((after - since) / every).rounded(.down) + 1) * every)
  }

  /// A machine that was started 1,000 seconds before noon.
  static func moment(_ now: Double, _ uptime: Double? = nil) -> DeviceSession.Moment {
    DeviceSession.Moment(now: now, uptime: uptime ?? now - noon + 1_000)
  }

  struct Folder {
    let home: TemporaryFolder
    let state: StateFolder
    var path: String { "\(home.path)/state" }

    init() throws {
      home = TemporaryFolder()
      state = try StateFolder("\(home.path)/state")
    }

    func open(zone: String = "UTC", now: Double = noon, uptime: Double? = nil) throws -> PendingRequests {
      try PendingRequests(
        state, zone: zone, at: PendingRequestsTests.moment(now, uptime), plan: PendingRequestsTests.plan)
    }

    func put(_ name: String, _ text: String) { JournalTests.put(Array(text.utf8), "\(path)/requests/\(name).json") }
    func put(_ name: String, trigger: String) { put(name, "{\"content\":{\"title\":\"x\"},\"trigger\":{\(trigger)}}") }
  }

  static func takeAll(_ requests: PendingRequests, now: Double = noon) throws -> [PendingRequests.Taken] {
    var all: [PendingRequests.Taken] = []
    while true {
      let (taken, more) = try requests.takeNew(moment(now))
      all += taken
      if !more { return all }
    }
  }

  @Test func `of any number 64 are armed, and all fire in their order`() throws {
    let folder = try Folder()
    var requests = try folder.open()
    // In an order that has nothing to do with their times.
    for number in 0..<300 {
      folder.put("r\(number)", trigger: "\"at\":\(Self.noon + Double((number * 7) % 300 + 1))")
    }
    #expect(try Self.takeAll(requests).count == 300)
    var fired: [Int] = []
    while let next = requests.next {
      #expect(requests.armedCount <= 64)
      #expect(requests.content(of: next)?["title"] == "x")
      fired.append(next.due)
      try requests.fired(next, now: Double(next.due))
      // Now and then the process begins anew.
      if fired.count % 50 == 0 { requests = try folder.open(now: Double(next.due)) }
    }
    #expect(fired == (1...300).map { Int(Self.noon) + $0 })
  }

  @Test func `one that repeats fires once for the times that were missed, and goes on`() throws {
    let folder = try Folder()
    let requests = try folder.open()
    folder.put("tide", trigger: "\"every\":60")
    _ = try requests.takeNew(Self.moment(Self.noon))
    let first = try #require(requests.next)
    #expect(Double(first.due) == Self.noon + 60)
    try requests.fired(first, now: Self.noon + 3_630)
    #expect(requests.next.map { Double($0.due) } == Self.noon + 3_660)
    #expect(requests.armedCount == 1)
  }

  @Test func `the same name takes the place of the former, and can be cancelled`() throws {
    let folder = try Folder()
    let requests = try folder.open()
    folder.put("tea", trigger: "\"at\":\(Self.noon + 100)")
    _ = try requests.takeNew(Self.moment(Self.noon))
    folder.put("tea", trigger: "\"at\":\(Self.noon + 50)")
    #expect(try requests.takeNew(Self.moment(Self.noon)).taken == [.scheduled(id: "tea", due: Int(Self.noon) + 50)])
    #expect(requests.armedCount == 1)
    folder.put("tea", "{\"cancel\":true}")
    #expect(try requests.takeNew(Self.moment(Self.noon)).taken == [.cancelled(id: "tea")])
    #expect(requests.next == nil)
    #expect(try folder.open().next == nil)
  }

  @Test(arguments: [
    ("bad", "{"), ("none", "{\"content\":{}}"), ("empty", ""), ("list", "[]"), ("a b", "{\"cancel\":true}"),
    ("past", "{\"content\":{},\"trigger\":{\"at\":5}}"), ("nothing", "{\"trigger\":{\"every\":60}}"),
  ])
  func `what cannot be used is put aside with its reason`(name: String, text: String) throws {
    let folder = try Folder()
    let requests = try folder.open()
    folder.put(name, text)
    let taken = try requests.takeNew(Self.moment(Self.noon)).taken
    guard case .refused(name, let reason)? = taken.first else { return #expect(Bool(false), "\(taken)") }
    #expect(!reason.isEmpty && requests.next == nil)
    #expect(access("\(folder.path)/requests/\(name).refused", F_OK) == 0)
    #expect(try requests.takeNew(Self.moment(Self.noon)).taken.isEmpty)
  }

  @Test func `a file that is too large is refused, not read`() throws {
    let folder = try Folder()
    let requests = try folder.open()
    folder.put("large", String(repeating: " ", count: 65_537))
    guard case .refused? = try requests.takeNew(Self.moment(Self.noon)).taken.first else { return #expect(Bool(false)) }
  }

  @Test func `intervals go on when the clock is set, and what follows the calendar goes by the new time`() throws {
    for step in [-7_200.0, -600, 600, 7_200, 1e9] {
      let folder = try Folder()
      let requests = try folder.open()
      folder.put("interval", trigger: "\"type\":\"interval\",\"every\":300")
      folder.put("calendar", trigger: "\"at\":\(Self.noon + 2e9)")
      _ = try requests.takeNew(Self.moment(Self.noon))
      let set = DeviceSession.Moment(now: Self.noon + 100 + step, uptime: 1_100)
      // Once with the agent running, once found at its next start.
      try requests.clockWasSet(set)
      for one in [requests, try folder.open(now: set.now, uptime: set.uptime)] {
        #expect(one.armedCount == 2, "\(step)")
        #expect(one.next.map { Double($0.due) } == Self.noon + 300 + step, "\(step)")
      }
    }
  }

  @Test func `in another zone all are planned anew`() throws {
    let folder = try Folder()
    do {
      let requests = try folder.open()
      folder.put("r", trigger: "\"at\":\(Self.noon + 3_600)")
      _ = try requests.takeNew(Self.moment(Self.noon))
    }
    let moved = try PendingRequests(folder.state, zone: "Europe/Berlin", at: Self.moment(Self.noon)) { _, _, _ in
      .at(Self.noon + 7_200)
    }
    #expect(moved.next.map { Double($0.due) } == Self.noon + 7_200 && moved.armedCount == 1)
  }
}
