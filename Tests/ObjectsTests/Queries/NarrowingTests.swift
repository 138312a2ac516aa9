import Objects
import Testing
import Wire

struct NarrowingTests {
  struct Case: Sendable {
    var condition: String
    var narrowing: [String]
    var isExact: Bool
  }

  private static func text(_ narrowing: Narrowing) -> String {
    let path = ([narrowing.column.field] + narrowing.column.path.dropFirst()).joined(separator: ".")
    return "\(path) \(narrowing.comparison) \(JSON.array(narrowing.values).text)"
  }

  static let cases: [Case] = [
    Case(condition: "{}", narrowing: [], isExact: true),
    Case(
      condition: #"{"name":"x","score":{"$gt":2.0,"$lte":9.5}}"#,
      narrowing: [#"name equal ["x"]"#, "score greater [2]", "score lessOrEqual [9.5]"], isExact: true),
    Case(
      condition: #"{"owner":"u1","isOpen":true}"#,
      narrowing: [#"owner.objectId equal ["u1"]"#, "isOpen equal [true]"], isExact: true),
    Case(
      condition: #"{"taken":{"$lt":{"__type":"Date","iso":"2026-01-01T01:00:00+01:00"}}}"#,
      narrowing: [#"taken.iso less ["2026-01-01T00:00:00.000Z"]"#], isExact: true),
    Case(
      condition: #"{"createdAt":{"$gte":"1970-01-01T00:00:01.000Z"},"objectId":{"$in":["b","a"]}}"#,
      narrowing: ["createdAt greaterOrEqual [1000]", #"objectId anyOf ["a","b"]"#], isExact: true),
    // No object has a value of another kind.
    Case(condition: #"{"score":"3"}"#, narrowing: ["score anyOf []"], isExact: true),
    Case(condition: #"{"score":{"$in":[3,"3"]}}"#, narrowing: ["score anyOf [3]"], isExact: true),
    Case(
      condition: #"{"owner":{"__type":"Pointer","className":"_Role","objectId":"u1"}}"#,
      narrowing: ["owner.objectId anyOf []"], isExact: true),
    // Lists, paths, alternatives and what is not there are left to `matches`.
    Case(condition: #"{"tags":"a","score":3}"#, narrowing: ["score equal [3]"], isExact: false),
    Case(condition: #"{"info.city":"a"}"#, narrowing: [], isExact: false),
    Case(condition: #"{"name":null}"#, narrowing: [], isExact: false),
    Case(condition: #"{"name":{"$in":[null,"a"]}}"#, narrowing: [], isExact: false),
    Case(condition: #"{"name":{"$ne":"a"}}"#, narrowing: [], isExact: false),
    Case(condition: #"{"$or":[{"score":1},{"score":2}]}"#, narrowing: [], isExact: false),
    Case(
      condition: #"{"$and":[{"score":1},{"$and":[{"name":"a"}]}]}"#,
      narrowing: ["score equal [1]", #"name equal ["a"]"#], isExact: true),
    Case(condition: #"{"unknown":1}"#, narrowing: [], isExact: false),
    // A pattern with a fixed beginning
    Case(
      condition: #"{"name":{"$regex":"^\\Qa.b\\E"}}"#,
      narrowing: [#"name greaterOrEqual ["a.b"]"#, #"name less ["a.c"]"#], isExact: false),
    Case(
      condition: #"{"name":{"$regex":"^aé"}}"#,
      narrowing: [#"name greaterOrEqual ["aé"]"#, #"name less ["aê"]"#], isExact: false),
    Case(
      condition: #"{"name":{"$regex":"^a b-c"}}"#,
      narrowing: [#"name greaterOrEqual ["a b-c"]"#, #"name less ["a b-d"]"#], isExact: false),
    Case(condition: #"{"name":{"$regex":"^a b?"}}"#, narrowing: [], isExact: false),
    Case(condition: #"{"name":{"$regex":"^ab*"}}"#, narrowing: [], isExact: false),
    Case(condition: #"{"name":{"$regex":"^a|b"}}"#, narrowing: [], isExact: false),
    Case(condition: #"{"name":{"$regex":"^a","$options":"i"}}"#, narrowing: [], isExact: false),
    Case(condition: #"{"name":{"$regex":"^a","$options":"m"}}"#, narrowing: [], isExact: false),
    Case(condition: #"{"name":{"$regex":"^\\d"}}"#, narrowing: [], isExact: false),
    Case(condition: #"{"name":{"$regex":"a"}}"#, narrowing: [], isExact: false),
  ]

  @Test(arguments: cases)
  func `SQL gets what every object of a query meets`(item: Case) throws {
    let query = try QueryStage.query(item.condition)
    #expect(query.narrowing.map(Self.text) == item.narrowing)
    #expect(query.isExact == item.isExact)
  }

  @Test func `without a schema nothing is narrowed`() throws {
    #expect(try QueryStage.query(#"{"name":"x"}"#, schema: nil).narrowing == [])
  }

  @Test func `live queries are found by what is equal`() throws {
    let query = try QueryStage.query(#"{"name":"x","score":2.0,"tags":"a","isOpen":{"$ne":true}}"#)
    #expect(query.equalities.map(\.field) == ["name", "score"])
    #expect(query.equalities.map(\.value) == [QueryValue("x"), QueryValue(2)])
    #expect(try QueryStage.query(#"{"$or":[{"name":"x"}]}"#).equalities.isEmpty)
  }

  @Test func `a class that is not there yet is no reason to look at a live query always`() throws {
    let early = try QueryStage.query(#"{"name":"x","place":{"a":1},"objectId":"p1"}"#, schema: nil)
    #expect(early.equalities.map(\.field) == ["name", "objectId"])
    #expect(try QueryStage.query(#"{"new":"x","tags":"a"}"#).equalities.map(\.field) == ["new"])
  }
}
