import Device
import Glibc
import Lifecycle
import Notifications
import Testing
import Wire
import World

struct PendingRequestsTests {
  static let noon = 1_795_262_400.0  // 2026-11-21T12:00:00Z, a Saturday

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
      let zone = try systemZone(zone)
      return try PendingRequests(state, at: PendingRequestsTests.moment(now, uptime)) { name in
        guard let name else { return zone }
        return try? systemZone(name.text)
      }
    }

    func put(_ name: String, _ text: String) { JournalTests.put(Array(text.utf8), "\(path)/requests/\(name).json") }
    func put(_ name: String, trigger: String) { put(name, "{\"content\":{\"title\":\"x\"},\"trigger\":{\(trigger)}}") }
    func put(_ name: String, seconds: Int, repeats: Bool = false) {
      put(name, trigger: "\"type\":\"interval\",\"seconds\":\(seconds),\"repeats\":\(repeats)")
    }
    func has(_ name: String) -> Bool { access("\(path)/\(name)", F_OK) == 0 }
  }

  static func takeAll(_ requests: PendingRequests, now: Double = noon) -> [PendingRequests.Taken] {
    var all: [PendingRequests.Taken] = []
    while true {
      let taking = requests.takeNew(moment(now))
      all += taking.taken
      #expect(taking.failure == nil)
      if !taking.hasMore { return all }
    }
  }

  @Test func `of any number 64 are armed, and all fire in their order`() throws {
    let folder = try Folder()
    var requests = try folder.open()
    // In an order that has nothing to do with their times.
    for number in 0..<300 { folder.put("r\(number)", seconds: (number * 7) % 300 + 1) }
    #expect(Self.takeAll(requests).count == 300)
    var fired: [Int] = []
    while let due = requests.due {
      #expect(requests.armedCount <= 64)
      let next = try #require(requests.next(now: due))
      #expect(requests.content(of: next)?["title"] == "x")
      fired.append(Int(next.due))
      try requests.settle(next)
      #expect(!folder.has("pending/\(next.id).json"))
      // Now and then the process begins anew.
      if fired.count % 50 == 0 { requests = try folder.open(now: due) }
    }
    #expect(fired == (1...300).map { Int(Self.noon) + $0 })
  }

  @Test func `one that repeats fires once for the times that were missed, and goes on, also after a restart`() throws {
    let folder = try Folder()
    let requests = try folder.open()
    folder.put("tide", seconds: 60, repeats: true)
    _ = Self.takeAll(requests)
    #expect(requests.next(now: Self.noon + 59) == nil)
    let first = try #require(requests.next(now: Self.noon + 3_630))
    #expect(Double(first.due) == Self.noon + 60)
    try requests.settle(first)
    for one in [requests, try folder.open(now: Self.noon + 3_640)] {
      #expect(one.due == Self.noon + 3_660)
      #expect(one.armedCount == 1)
    }
  }

  @Test func `what fired and was not shown when the process ended fires again, for the same time`() throws {
    let folder = try Folder()
    var requests = try folder.open()
    folder.put("tide", seconds: 60, repeats: true)
    folder.put("tea", seconds: 60)
    _ = Self.takeAll(requests)
    let first = try #require(requests.next(now: Self.noon + 65))
    try requests.settle(first)
    let second = try #require(requests.next(now: Self.noon + 70))
    // Another look at the folder, as when a new file comes, changes nothing of that.
    _ = Self.takeAll(requests, now: Self.noon + 70)
    requests = try folder.open(now: Self.noon + 100)
    #expect(requests.next(now: Self.noon + 100)?.id == second.id)
    #expect(requests.next(now: Self.noon + 100)?.due == second.due)
  }

  @Test func `a request waits for its place, also over restarts`() throws {
    let folder = try Folder()
    var requests = try folder.open()
    let (inside, outside) = (Fix(latitude: 53, longitude: 8, accuracy: 5), Fix(latitude: 53.1, longitude: 8))
    for (name, on, repeats) in [("in", "enter", false), ("out", "leave", false), ("both", "both", true)] {
      folder.put(
        name,
        """
        {"content":{"title":"x"},"trigger":{"type":"location","latitude":53,"longitude":8,"radius":100,"on":"\(on)",
        "repeats":\(repeats)}}
        """)
    }
    #expect(
      Self.takeAll(requests) == ["both", "in", "out"].map { .scheduled(id: $0, due: nil) }
        && requests.due == nil)
    func fire() throws -> [String] {
      var all: [String] = []
      while let one = requests.next(now: Self.noon) {
        #expect(requests.content(of: one)?["title"] == "x")
        try requests.settle(one)
        all.append(one.id)
      }
      return all
    }
    // The first place only tells on which side they are.
    requests.moved(to: outside, now: Self.noon)
    #expect(try fire() == [])
    _ = Self.takeAll(requests)
    requests = try folder.open()
    requests.moved(to: inside, now: Self.noon)
    // A request that has fired and was not shown when the process ended fires again.
    #expect(requests.next(now: Self.noon)?.id == "both")
    requests = try folder.open()
    requests.moved(to: inside, now: Self.noon)
    #expect(try fire() == ["both", "in"])
    requests.moved(to: inside, now: Self.noon)
    #expect(try fire() == [])
    _ = Self.takeAll(requests)
    requests = try folder.open()
    requests.moved(to: outside, now: Self.noon)
    #expect(try fire() == ["both", "out"])
    requests = try folder.open()
    requests.moved(to: inside, now: Self.noon)
    #expect(try fire() == ["both"])
  }

  @Test(arguments: [
    "{", "{}", #"{"latitude":91,"longitude":0}"#, #"{"latitude":0,"longitude":"8"}"#,
    #"{"latitude":0,"longitude":0,"accuracy":-1}"#,
  ])
  func `a place that cannot be read says why`(text: String) {
    guard case .refused(let reason) = DevicePosition.read(Array(text.utf8)) else { return #expect(Bool(false)) }
    #expect(reason.contains("accepted"))
  }

  @Test func `the same name takes the place of the former, and can be cancelled`() throws {
    let folder = try Folder()
    let requests = try folder.open()
    folder.put("tea", seconds: 100)
    _ = Self.takeAll(requests)
    folder.put("tea", seconds: 50)
    #expect(Self.takeAll(requests) == [.scheduled(id: "tea", due: Int(Self.noon) + 50)])
    #expect(requests.armedCount == 1)
    // Also while it waits to be shown.
    #expect(requests.next(now: Self.noon + 60) != nil)
    folder.put("tea", "{\"cancel\":true}")
    #expect(Self.takeAll(requests) == [.cancelled(id: "tea")])
    #expect(requests.next(now: Self.noon + 60) == nil && requests.due == nil)
    #expect(try folder.open().due == nil)
  }

  @Test(arguments: [
    ("bad", "{"), ("none", "{\"content\":{}}"), ("empty", ""), ("list", "[]"), ("a b", "{\"cancel\":true}"),
    ("nothing", "{\"trigger\":{\"type\":\"interval\",\"seconds\":60}}"),
    ("past", "{\"content\":{\"title\":\"x\"},\"trigger\":{\"type\":\"calendar\",\"components\":{\"year\":2025}}}"),
    ("moon", "{\"content\":{\"title\":\"x\"},\"trigger\":{\"type\":\"moon\"}}"),
    ("zone", #"{"content":{"title":"x"},"trigger":{"type":"calendar","components":{"hour":7},"zone":"X/Y"}}"#),
    ("text", "{\"content\":{\"title\":\"x\",\"attachments\":[{\"id\":\"a\",\"url\":\"/a\",\"type\":\"text/plain\"}]}}"),
  ])
  func `what cannot be used is put aside with its reason`(name: String, text: String) throws {
    let folder = try Folder()
    let requests = try folder.open()
    folder.put(name, text)
    let taken = Self.takeAll(requests)
    guard case .refused(name, let reason)? = taken.first else { return #expect(Bool(false), "\(taken)") }
    #expect(reason.contains(" accepted") && requests.due == nil || reason.hasSuffix("KB."), "\(reason)")
    #expect(folder.has("requests/\(name).refused"))
    #expect(Self.takeAll(requests).isEmpty)
  }

  @Test func `a file that is too large is refused, not read`() throws {
    let folder = try Folder()
    let requests = try folder.open()
    folder.put("large", String(repeating: " ", count: 65_537))
    guard case .refused? = Self.takeAll(requests).first else { return #expect(Bool(false)) }
  }

  @Test func `a damaged file is put aside and told, and the others fire`() throws {
    let folder = try Folder()
    do {
      let requests = try folder.open()
      folder.put("tea", seconds: 60)
      folder.put("milk", seconds: 90)
      _ = Self.takeAll(requests)
    }
    JournalTests.put(Array("{\"request".utf8), "\(folder.path)/pending/tea.json")
    let requests = try folder.open()
    guard case .refused("tea", _)? = Self.takeAll(requests).first else { return #expect(Bool(false)) }
    #expect(requests.due == Self.noon + 90 && folder.has("requests/tea.refused"))
  }

  @Test func `intervals go on when the clock is set, and what follows the calendar goes by the new time`() throws {
    for step in [-7_200.0, -600, 600, 7_200, 1e8] {
      let folder = try Folder()
      let requests = try folder.open()
      folder.put("interval", seconds: 300)
      folder.put("calendar", trigger: "\"type\":\"calendar\",\"components\":{\"year\":2040}")
      _ = Self.takeAll(requests)
      let set = DeviceSession.Moment(now: Self.noon + 100 + step, uptime: 1_100)
      // Once found at the next start, once with the agent running, which writes it down.
      #expect(try folder.open(now: set.now, uptime: set.uptime).due == Self.noon + 300 + step, "\(step)")
      requests.clockWasSet(set)
      _ = requests.takeNew(set)
      for one in [requests, try folder.open(now: set.now, uptime: set.uptime)] {
        #expect(one.armedCount == 2, "\(step)")
        #expect(one.due == Self.noon + 300 + step, "\(step)")
      }
    }
  }

  @Test func `what going east has skipped is due at once, what comes later moves with the clock`() throws {
    let folder = try Folder()
    do {
      let requests = try folder.open()
      folder.put("skipped", trigger: "\"type\":\"calendar\",\"components\":{\"hour\":13},\"repeats\":true")
      folder.put("later", trigger: "\"type\":\"calendar\",\"components\":{\"hour\":23},\"repeats\":true")
      _ = Self.takeAll(requests)
      #expect(requests.due == Self.noon + 3_600)
    }
    // Ten minutes later the clock shows 15:40.
    let moved = try folder.open(zone: "Europe/Moscow", now: Self.noon + 2_400)
    let first = try #require(moved.next(now: Self.noon + 2_400))
    #expect(first.id == "skipped" && first.staysPending)
    try moved.settle(first)
    #expect(moved.next(now: Self.noon + 2_400) == nil)
    #expect(moved.due == Self.noon + 8 * 3_600)
    // It goes on at 13:00 of the new zone.
    let second = try #require(moved.next(now: Self.noon + 8 * 3_600))
    try moved.settle(second)
    #expect(moved.due == Self.noon + 22 * 3_600)
  }

  @Test func `where nothing can be written, all that is known fires, and cancellations count`() throws {
    let folder = try Folder()
    let requests = try folder.open()
    folder.put("tide", seconds: 60, repeats: true)
    folder.put("tea", seconds: 90)
    _ = Self.takeAll(requests)
    // A folder in the place of each draft, as if the disk were full.
    for name in ["tide", "a"] { #expect(mkdir("\(folder.path)/pending/\(name).json.new", 0o700) == 0) }
    folder.put("a", seconds: 300)
    folder.put("tea", "{\"cancel\":true}")
    let taking = requests.takeNew(Self.moment(Self.noon))
    #expect(taking.taken == [.cancelled(id: "tea")] && taking.failure != nil && !taking.hasMore)
    for turn in 1...3 {
      let next = try #require(requests.next(now: Self.noon + Double(60 * turn)))
      #expect(next.id == "tide" && Double(next.due) == Self.noon + Double(60 * turn))
      #expect(throws: DeviceError.self) { try requests.settle(next) }
    }
    // Once there is room again, the new one is taken, and the file says what is known.
    for name in ["tide", "a"] { rmdir("\(folder.path)/pending/\(name).json.new") }
    #expect(Self.takeAll(requests, now: Self.noon + 200) == [.scheduled(id: "a", due: Int(Self.noon) + 500)])
    let restored = try folder.open(now: Self.noon + 200)
    #expect(restored.due == Self.noon + 240 && restored.armedCount == 2)
  }
}
