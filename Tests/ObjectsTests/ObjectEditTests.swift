import Objects
import Testing
import Wire

struct ObjectEditTests {
  static func object(_ fields: JSON = [:]) -> StoredObject {
    StoredObject(className: "Note", id: "a", createdAt: 0, updatedAt: 0, fields: fields.members ?? [])
  }

  /// The fields of an object after an edit.
  static func after(_ edit: JSON, of fields: JSON = [:]) throws -> JSON {
    var object = object(fields)
    _ = try ObjectEdit(edit).apply(to: &object)
    return .object(object.fields)
  }

  static func code(_ edit: JSON, of fields: JSON = [:]) -> Int? {
    do {
      _ = try after(edit, of: fields)
      return nil
    } catch {
      return (error as? ObjectError)?.code
    }
  }

  /// The same file, which a client knows by another of the hub's addresses.
  private static func photo(_ url: JSON) -> JSON { ["__type": "File", "name": "p", "url": url] }

  @Test(
    arguments: [
      (["n": ["__op": "Increment", "amount": 2]], [:], ["n": 2]),
      (["n": ["__op": "Increment", "amount": -2]], ["n": 5], ["n": 3]),
      (["n": ["__op": "Increment", "amount": .double(0.5)]], ["n": 1], ["n": .double(1.5)]),
      (["n": ["__op": "Increment", "amount": 1]], ["n": .int(.max)], ["n": .double(9_223_372_036_854_775_808)]),
      (["l": ["__op": "Add", "objects": [1, 1]]], ["l": [1]], ["l": [1, 1, 1]]),
      (["l": ["__op": "AddUnique", "objects": [1, 2, 2]]], ["l": [1]], ["l": [1, 2]]),
      (["l": ["__op": "Remove", "objects": [1]]], ["l": [1, 2, 1]], ["l": [2]]),
      (["l": ["__op": "Remove", "objects": [1]]], [:], ["l": []]),
      (["l": ["__op": "Remove", "objects": [photo("http://b/p")]]], ["l": [photo("http://a/p"), 1]], ["l": [1]]),
      (
        ["l": ["__op": "AddUnique", "objects": [photo("http://b/p")]]], ["l": [photo("http://a/p")]],
        ["l": [photo("http://a/p")]]
      ),
      (["a": ["__op": "Delete"]], ["a": 1, "b": 2], ["b": 2]),
      (["o.a": 1], [:], ["o": ["a": 1]]),
      (
        ["o.a.b": ["__op": "Increment", "amount": 1]], ["o": ["a": ["b": 1, "c": 2]]], ["o": ["a": ["b": 2, "c": 2]]]
      ),
      (["o.a": ["__op": "Delete"]], ["o": ["a": 1]], ["o": [:]]),
      (["l.1": 5], ["l": [1, 2]], ["l": [1, 5]]),
      (["objectId": "x", "createdAt": "x", "a": .null], [:], ["a": .null]),
    ] as [(JSON, JSON, JSON)])
  func `operations change fields`(edit: JSON, before: JSON, after: JSON) throws {
    #expect(try Self.after(edit, of: before) == after)
  }

  @Test func `clients are told what they cannot know`() throws {
    var object = Self.object(["n": 1])
    let edit = try ObjectEdit([
      "n": ["__op": "Increment", "amount": 1], "l": ["__op": "Add", "objects": [1]], "s": "x", "n2": 1,
    ])
    #expect(try edit.apply(to: &object) == ["n", "l"])
  }

  @Test(
    arguments: [
      (["n": ["__op": "Increment", "amount": 1]], ["n": "x"], 111),
      (["l": ["__op": "Add", "objects": [1]]], ["l": 1], 111),
      (["l": ["__op": "Add"]], [:], 107), (["o.a": 1], ["o": 1], 111), (["_a": 1], [:], 105), (["a..b": 1], [:], 105),
      (["a b": 1], [:], 105), (["o": ["a": ["$gt": 1]]], [:], 121), (["p": ["__type": "Pointer"]], [:], 111),
      (["p": ["__type": "Pointer", "className": "1", "objectId": "a"]], [:], 103),
      (["p": ["__type": "Spoon"]], [:], 111), (["o.__type": "Date"], ["o": ["a": 1]], 111),
      (["o.__type": "Date", "o.iso": "x"], [:], 111), (["o.iso": "x", "o.__type": "Date"], [:], 111),
      (["o.__op": "Delete"], ["o": ["a": 1]], 105),
      (["b": ["__type": "Bytes", "base64": "?"]], [:], 111), (["ACL": ["*": ["own": true]]], [:], 123),
      (["r": ["__op": "AddRelation", "objects": []]], [:], 106),
      (["r": ["__op": "AddRelation", "objects": [1]]], [:], 106), (["a.b": relation], [:], 111),
      (.string("x"), [:], 107),
    ] as [(JSON, JSON, Int)])
  func `what cannot be done is refused`(edit: JSON, before: JSON, code: Int) {
    #expect(Self.code(edit, of: before) == code)
  }

  @Test func `an object with as many fields as there may be can be written back`() throws {
    let fields = (0..<ObjectsLimits.fields).map { JSON.Member("f\($0)", 1) }
    let own: [JSON.Member] = [.init("objectId", "a"), .init("createdAt", "b"), .init("updatedAt", "c")]
    #expect(try ObjectEdit(.object(own + fields)).operations.count == ObjectsLimits.fields)
    #expect(Self.code(.object(fields + [.init("one", 1), .init("two", 2)] + own + [.init("three", 3)])) == 116)
  }

  @Test func `names with a dot are bounded, and the field that they reach into is looked at once`() throws {
    func edit(_ count: Int) -> JSON { .object((0..<count).map { JSON.Member("o.a\($0)", 1) }) }
    #expect(Self.code(edit(ObjectsLimits.dottedNames)) == nil)
    #expect(Self.code(edit(ObjectsLimits.dottedNames + 1)) == 116)
    let long: JSON = ["o": ["l": .array(Array(repeating: 1, count: 100_000))]]
    let clock = ContinuousClock()
    let one = try clock.measure { _ = try Self.after(edit(1), of: long) }
    let all = try clock.measure { _ = try Self.after(edit(ObjectsLimits.dottedNames), of: long) }
    #expect(all < one * 20)
  }

  @Test func `levels are bounded`() {
    func nested(_ levels: Int) -> JSON { (0..<levels).reduce(1) { inner, _ in [inner] } }
    #expect(Self.code(["a": nested(ObjectsLimits.levels - 1)]) == nil)
    #expect(Self.code(["a": nested(ObjectsLimits.levels)]) == 116)
    #expect(Self.code(["a.b": nested(ObjectsLimits.levels - 2)]) == nil)
    #expect(Self.code(["a.b": nested(ObjectsLimits.levels - 1)]) == 116)
    let deepest = JSON.string(String(repeating: "[", count: 10_000))
    #expect(Self.code(["a": deepest]) == nil)
  }

  @Test func `values have one form`() throws {
    let value: JSON = [
      "when": ["__type": "Date", "iso": "2026-01-01T01:00:00+01:00"],
      "p": ["__type": "Object", "className": "A", "objectId": "a", "name": "gone"],
      "area": ["__type": "Polygon", "coordinates": [[0, 0], [0, 1], [1, 1]]],
    ]
    #expect(
      try Self.after(value) == [
        "when": ["__type": "Date", "iso": "2026-01-01T00:00:00.000Z"],
        "p": ["__type": "Pointer", "className": "A", "objectId": "a"],
        "area": ["__type": "Polygon", "coordinates": [[0, 0], [0, 1], [1, 1], [0, 0]]],
      ])
  }

  @Test func `a field has the type of its first value`() throws {
    var schema = ClassSchema(name: "Note")
    #expect(try ObjectEdit(["n": 1, "o.a": 1, "x": .null, "r": Self.relation]).fit(&schema) == ["n", "o", "r"])
    #expect(schema.fields.mapValues(\.type) == ["n": .number, "o": .object, "r": .relation("A")])
    #expect(try ObjectEdit(["n": .double(0.5), "o": ["b": 1]]).fit(&schema) == [])
    #expect(throws: ObjectError.type("schema mismatch for Note.n; expected Number but got String")) {
      try ObjectEdit(["n": "1"]).fit(&schema)
    }
    #expect(throws: ObjectError.self) { try ObjectEdit(["r": [1]]).fit(&schema) }
  }

  static let relation: JSON = [
    "__op": "Batch",
    "ops": [
      ["__op": "AddRelation", "objects": [StoredObject.pointer(to: "x", of: "A")]],
      ["__op": "RemoveRelation", "objects": [StoredObject.pointer(to: "y", of: "A")]],
    ],
  ]

  @Test func `relations are no values`() throws {
    let edit = try ObjectEdit(["r": Self.relation])
    #expect(edit.relations.map(\.field) == ["r"])
    #expect(edit.relations[0].added == ["x"] && edit.relations[0].removed == ["y"])
    let shown: JSON = ["__type": "Relation", "className": "A"]
    for value in [Self.relation, shown] { #expect(try Self.after(["r": value]) == [:]) }
  }
}
