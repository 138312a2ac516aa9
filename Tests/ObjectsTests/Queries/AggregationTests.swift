import Objects
import Testing
import Wire

struct AggregationTests {
  private static let photos: [StoredObject] = [
    #"{"score":10,"name":"foo","tags":["a","b"],"owner":{"__type":"Pointer","className":"_User","objectId":"u1"}}"#,
    #"{"score":10.5,"name":"foo","tags":["b"]}"#, #"{"score":20,"name":"bar","place":{"town":"Ulm"}}"#,
    #"{"score":"x","name":"dpl"}"#, #"{}"#,
  ].enumerated().map { QueryStage.photo($1, id: "\($0)", createdAt: 1_000 * $0) }

  private static func results(_ parameters: JSON) throws(ObjectError) -> JSON {
    let aggregation = try Aggregation(className: "Photo", parameters: parameters.members!, schema: QueryStage.schema)
    var run = aggregation.run()
    for photo in photos where aggregation.query.matches(photo) { try run.add(photo) }
    return .array(try run.finished())
  }

  struct Case: Sendable {
    var parameters: JSON
    var results: JSON
  }

  static let right: [Case] = [
    Case(parameters: ["distinct": "name"], results: ["bar", "dpl", "foo"]),
    Case(parameters: ["distinct": "tags"], results: ["a", "b"]),
    Case(parameters: ["distinct": "place.town"], results: ["Ulm"]),
    Case(parameters: ["distinct": "score", "where": #"{"name":"foo"}"#], results: [10, 10.5]),
    Case(parameters: ["distinct": "nothing"], results: []),
    Case(
      parameters: ["$group": #"{"_id":"$name","total":{"$sum":"$score"},"n":{"$sum":1}}"#, "$sort": ["objectId": 1]],
      results: [
        ["objectId": nil, "total": 0, "n": 1], ["objectId": "bar", "total": 20, "n": 1],
        ["objectId": "dpl", "total": 0, "n": 1], ["objectId": "foo", "total": 20.5, "n": 2],
      ]),
    Case(
      parameters: [
        "pipeline": [
          ["$match": ["score": ["$gt": 1]]],
          [
            "$group": [
              "_id": nil, "avg": ["$avg": "$score"], "min": ["$min": "$score"], "max": ["$max": "$name"],
              "first": ["$first": "$name"], "last": ["$last": "$name"], "n": ["$count": [:]],
            ]
          ],
        ]
      ],
      results: [
        ["objectId": nil, "avg": 13.5, "min": 10, "max": "foo", "first": "foo", "last": "bar", "n": 3]
      ]),
    Case(
      parameters: ["$group": ["_id": "$owner"], "where": ["owner": ["$exists": true]]], results: [["objectId": "u1"]]),
    Case(
      parameters: ["pipeline": [["$group": ["_id": ["n": "$name", "t": "$place.town"]]], ["$limit": 1]]],
      results: [["objectId": ["n": "foo", "t": nil]]]),
    Case(
      parameters: [
        "pipeline": [["$sort": ["name": -1, "_id": -1]], ["$project": ["name": 1]], ["$skip": 1], ["$limit": 2]]
      ],
      results: [["objectId": "0", "name": "foo"], ["objectId": "3", "name": "dpl"]]),
    Case(
      parameters: ["$match": ["_id": "2"], "$project": ["_id": 0, "town": "$place.town", "name": true]],
      results: [["town": "Ulm", "name": "bar"]]),
    Case(
      parameters: [
        "pipeline": [
          ["$group": ["_id": "$name", "n": ["$sum": 1]]], ["$match": ["_id": "foo"]],
          ["$project": ["_id": 0, "objectId": "$_id", "n": 1]],
        ]
      ], results: [["objectId": "foo", "n": 2]]),
    Case(parameters: ["$match": ["_id": "2"], "$project": ["_id": "$name"]], results: [["objectId": "bar"]]),
    Case(
      parameters: ["$match": ["_id": "2"], "$project": ["_id": "$name", "objectId": 1]],
      results: [["objectId": "bar"]]),
    Case(
      parameters: ["$match": ["$or": [["_id": "4"]]], "$project": ["name": 0]],
      results: [
        [
          "objectId": "4", "createdAt": "1970-01-01T00:00:04.000Z", "updatedAt": "2026-01-01T00:00:00.500Z",
        ]
      ]),
    Case(
      parameters: [
        "pipeline": [
          ["$group": ["_id": "$name", "n": ["$sum": 1]]], ["$match": ["n": ["$gte": 2], "_id": "foo"]],
          ["$count": "groups"],
        ]
      ], results: [["groups": 1]]),
  ]

  @Test(arguments: right)
  func `an aggregation gives`(item: Case) throws {
    let found = try Self.results(item.parameters)
    #expect(found == item.results)
  }

  static let wrong: [(JSON, Int)] = [
    (["unknown": []], 102), (["group": ["_id": "$name"]], 102), (["group": []], 102), (["$group": [:]], 102),
    (["$group": ["objectId": "$name"]], 102), (["$group": ["_id": "$name", "n": 5]], 102),
    (["$group": ["_id": "$name", "n": ["$push": "$x"]]], 102), (["$group": ["_id": "$__proto__"]], 105),
    (["$lookup": [:]], 102), (["$out": "x"], 107), (["$sort": ["a": 2]], 102), (["$sort": [:]], 102),
    (["$limit": -1], 102), (["$skip": "x"], 107), (["$project": [:]], 102), (["$project": ["a": 1, "b": 0]], 102),
    (["$match": ["$where": "x"]], 105), (["$match": ["a": ["$foo": 1]]], 107), (["pipeline": 5], 102),
    (["pipeline": [["$limit": 1, "$skip": 1]]], 102), (["distinct": "$x"], 105), (["distinct": ""], 105),
    (["pipeline": .array(Array(repeating: ["$limit": 1], count: 31))], 102),
  ]

  @Test(arguments: wrong)
  func `what is no aggregation is refused`(parameters: JSON, code: Int) {
    let error = #expect(throws: ObjectError.self) { try Self.results(parameters) }
    #expect(error?.code == code)
  }

  @Test func `groups and results have a limit`() throws {
    let aggregation = try Aggregation(
      className: "Photo", parameters: [.init("$group", ["_id": "$score"])], schema: nil)
    var run = aggregation.run()
    for score in 0..<10_000 { try run.add(QueryStage.photo("{\"score\":\(score)}")) }
    try run.add(QueryStage.photo(#"{"score":0}"#))
    #expect(throws: ObjectError.self) { try run.add(QueryStage.photo(#"{"score":-1}"#)) }
  }

  /// The code with which an aggregation of objects of a megabyte is refused; nil if it is not.
  private static func code(_ parameters: JSON, _ count: Int) -> Int? {
    let long = String(repeating: "x", count: 1_000_000)
    do throws(ObjectError) {
      let aggregation = try Aggregation(className: "Photo", parameters: parameters.members!, schema: QueryStage.schema)
      var run = aggregation.run()
      for number in 0..<count {
        let fields: [JSON.Member] = [.init("name", .string("\(number)\(long)")), .init("score", .int(number))]
        try run.add(StoredObject(className: "Photo", id: "\(number)", createdAt: 0, updatedAt: 0, fields: fields))
      }
      _ = try run.finished()
      return nil
    } catch {
      return error.code
    }
  }

  static let large: [JSON] = [
    ["distinct": "name"], ["$sort": ["score": 1]], ["$skip": 1], ["$group": ["_id": "$name"]],
    ["$group": ["_id": "$score", "last": ["$last": "$name"]]],
  ]

  @Test(arguments: large)
  func `what is kept and answered has a limit of bytes, however few objects they are`(parameters: JSON) {
    #expect(Self.code(parameters, 10) == nil)
    #expect(Self.code(parameters, 20) == 116)
  }

  static let small: [(JSON, Int)] = [
    (["$project": ["score": 1]], 20), (["$group": ["_id": nil, "last": ["$last": "$name"]]], 20),
    (["$group": ["_id": nil, "sum": ["$sum": "$score"]]], 20), (["$sort": ["score": 1]], 15),
  ]

  @Test(arguments: small)
  func `what is not kept does not count, and what is kept counts once`(parameters: JSON, count: Int) {
    #expect(Self.code(parameters, count) == nil)
  }
}
