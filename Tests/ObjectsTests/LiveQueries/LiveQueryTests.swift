import Objects
import Testing
import Wire

struct LiveQueryTests {
  private func photo(_ stars: Int, _ album: JSON = "a") -> StoredObject {
    StoredObject(
      className: "Photo", id: "p1", createdAt: 0, updatedAt: 0,
      fields: [.init("stars", .int(stars)), .init("album", album)])
  }

  private func query(
    _ condition: JSON, keys: [String]? = nil, watch: [String]? = nil
  ) throws(ObjectError) -> LiveQuery {
    try LiveQuery(
      LiveMessage.Subscribe(requestID: 1, className: "Photo", condition: condition, keys: keys, watch: watch),
      schema: nil)
  }

  @Test func `an object is created, enters, is updated, leaves and is deleted`() throws {
    let live = try query(["stars": ["$gt": 2]])
    let (low, high) = (photo(1), photo(3))
    func event(_ before: StoredObject?, _ after: StoredObject?) -> LiveQuery.Event? {
      live.event(before: before, after: after) { _ in true }
    }
    #expect(event(nil, high) == .create && event(nil, low) == nil)
    #expect(event(low, high) == .enter && event(high, photo(4)) == .update)
    #expect(event(high, low) == .leave && event(low, photo(2)) == nil)
    #expect(event(high, nil) == .delete && event(low, nil) == nil)
  }

  @Test func `what one may not read is as if it were not there`() throws {
    let live = try query([:])
    func event(_ sees: (before: Bool, after: Bool)) -> LiveQuery.Event? {
      let (before, after) = (photo(1), photo(2))
      return live.event(before: before, after: after) { $0 == before ? sees.before : sees.after }
    }
    #expect(event((true, false)) == .leave && event((false, true)) == .enter && event((false, false)) == nil)
  }

  @Test func `an update is told if a watched field has changed`() throws {
    let live = try query([:], watch: ["album"])
    #expect(live.event(before: photo(1), after: photo(2)) { _ in true } == nil)
    #expect(live.event(before: photo(1), after: photo(1, "b")) { _ in true } == .update)
  }

  @Test func `what is watched is asked for, too`() throws {
    #expect(try query(["stars": 1], watch: ["album", "list.0"]).fields == ["stars", "album", "list"])
  }

  @Test func `a question about another class is refused, and so is a broken one`() {
    #expect(throws: ObjectError.self) { try query(["a": ["$inQuery": ["className": "B", "where": [:]]]]) }
    #expect(throws: ObjectError.self) { try query(["$where": "1"]) }
  }

  @Test func `a few patterns are taken, and one that takes too many steps is told`() throws {
    func patterns(_ count: Int) -> JSON {
      .object((0..<count).map { .init("field\($0)", ["$regex": "^a"]) })
    }
    _ = try query(patterns(LiveQueryLimits.patterns))
    #expect { try query(patterns(LiveQueryLimits.patterns + 1)) } throws: { ($0 as? ObjectError)?.code == 102 }
    let live = try query(["album": ["$regex": "^(a+)+$"]])
    let hard = photo(1, .string(String(repeating: "a", count: 40) + "b"))
    for _ in 0..<10 {
      #expect(live.fault == nil)
      #expect(live.event(before: nil, after: hard) { _ in true } == nil)
    }
    #expect(live.fault?.code == 124)
  }

  @Test func `no pattern is tried with what one may not read`() throws {
    let live = try query(["album": ["$regex": "^(a+)+$"]])
    let hard = photo(1, .string(String(repeating: "a", count: 40) + "b"))
    for _ in 0..<10 { #expect(live.event(before: hard, after: hard) { _ in false } == nil) }
    #expect(live.fault == nil)
  }

  @Test func `a query counts its lists, its patterns, and the fields that it names`() throws {
    let plain = try query(["album": "a"]).bytes
    #expect(plain < 1_000)
    #expect(try query(["stars": ["$in": .array((0..<1_000).map { .int($0) })]]).bytes > 50_000)
    #expect(try query(["album": ["$regex": "(?:abcdefgh){2000}"]]).bytes > 40_000)
    #expect(try query([:], keys: [String(repeating: "k", count: 10_000)]).bytes > 10_000)
  }

  @Test func `looking at one object needs another right than finding some`() throws {
    #expect(try query(["objectId": "p1"]).action == .get)
    #expect(try query(["objectId": ["$ne": "p1"]]).action == .find)
    #expect(try query(["objectId": "p1", "stars": 1]).action == .find)
  }
}
