import Objects
import Testing
import Wire

struct QueryReadingTests {
  private static func nested(_ levels: Int) -> JSON {
    var json: JSON = ["score": 1]
    for _ in 0..<levels { json = ["$or": [json]] }
    return json
  }

  static let wrong: [(JSON, Int)] = [
    (["where": 5], 107), (["where": "{"], 107), (["wher": [:]], 102), (["_method": "GET"], 102),
    (["where": ["$where": "1"]], 105), (["where": ["__proto__": 1]], 105), (["where": ["a.__proto__": 1]], 105),
    (["where": ["a.constructor": 1]], 105), (["where": ["$foo": 1]], 105), (["where": ["_rperm": 1]], 105),
    (["where": ["a-b": 1]], 105), (["where": ["a..b": 1]], 105), (["where": ["": 1]], 105), (["where": ["ä": 1]], 105),
    (["where": ["ACL": 1]], 102), (["where": ["ACL.x": 1]], 102), (["where": ["$or": []]], 102),
    (["where": ["$or": ["a": 1]]], 102), (["where": ["$and": [5]]], 107), (["where": ["$nor": 5]], 102),
    (["where": ["name": ["$where": "1"]]], 107), (["where": ["name": ["$foo": 1]]], 107),
    (["where": ["name": ["$gt": 1, "x": 1]]], 107), (["where": ["name": ["x": 1, "$gt": 1]]], 107),
    (["where": ["name": ["x": ["$gt": 1]]]], 121), (["where": ["name": ["$in": [["$gt": 1]]]]], 121),
    (["where": ["name": ["$gt": ["a": 1]]]], 107), (["where": ["name": ["$lt": [1]]]], 107),
    (["where": ["name": ["$in": 1]]], 107), (["where": ["name": ["$all": "x"]]], 107),
    (["where": ["name": ["$exists": 1]]], 107), (["where": ["name": ["$regex": 1]]], 107),
    (["where": ["name": ["$regex": "("]]], 102), (["where": ["name": ["$regex": "a", "$options": "g"]]], 102),
    (["where": ["name": ["$regex": "a", "$options": 5]]], 102), (["where": ["name": ["$options": "i"]]], 107),
    (["where": ["name": ["$regex": "\\C"]]], 102), (["where": ["name": ["$regex": "((a{1000}){1000}){1000}"]]], 102),
    (["where": ["taken": ["__type": "Date", "iso": "yesterday"]]], 111),
    (["where": ["owner": ["__type": "Pointer", "className": "_User"]]], 111),
    (["where": ["owner": ["__type": "Nonsense"]]], 111),
    (["where": ["place": ["__type": "GeoPoint", "latitude": 91, "longitude": 0]]], 111),
    (["where": ["place": ["$nearSphere": 5]]], 107), (["where": ["place": ["$maxDistance": 5]]], 107),
    (["where": ["place": ["$nearSphere": [1, 2], "$maxDistance": -1]]], 107),
    (["where": ["place": ["$within": ["$box": [[1, 2]]]]]], 107),
    (["where": ["place": ["$geoWithin": ["$polygon": [[1, 2], [2, 3]]]]]], 107),
    (["where": ["place": ["$geoWithin": ["$polygon": 1234]]]], 107), (["where": ["place": ["$geoWithin": [:]]]], 107),
    (["where": ["place": ["$geoWithin": ["$centerSphere": [[0, 95], 1]]]]], 107),
    (["where": ["name": ["$text": ["$search": ["$term": "x"]]]]], 102),
    (["where": ["place": ["$geoIntersects": ["$point": [1, 2]]]]], 102),
    (["where": ["taken": ["$lt": ["$relativeTime": "1 day ago"]]]], 102),
    (["where": ["owner": ["$inQuery": ["where": [:]]]]], 102),
    (["where": ["owner": ["$inQuery": ["className": "_Us er", "where": [:]]]]], 103),
    (["where": ["owner": ["$select": ["query": ["className": "_User", "where": [:]]]]]], 102),
    (["where": ["$relatedTo": ["key": "x"]]], 102), (["where": ["likes": ["$gt": 5]]], 102),
    (["where": ["likes": 5]], 107), (["limit": -1], 102), (["limit": "x"], 102),
    (["limit": 1.5], 102), (["skip": -1], 102), (["skip": [1]], 102), (["order": 5], 102), (["order": "$foo"], 105),
    (["order": "_password"], 105), (["order": "$score"], 102), (["order": "a,b,c,d,e,f,g,h,i,j,k"], 102),
    (["keys": 5], 102), (["include": [5]], 102), (["include": "a.b.c.d.e.f.g.h.i.j.k"], 102), (["count": [:]], 102),
  ]

  @Test(arguments: wrong)
  func `what is wrong is refused, by Parse's number`(parameters: JSON, code: Int) {
    #expect(QueryStage.error(parameters)?.code == code)
  }

  @Test func `a query has its levels, and not one more`() {
    #expect(QueryStage.error(["where": Self.nested(15)]) == nil)
    #expect(QueryStage.error(["where": Self.nested(16)])?.code == 102)
    let deep = String(repeating: #"{"$or":["#, count: 10_000) + "{}" + String(repeating: "]}", count: 10_000)
    #expect(QueryStage.error(["where": .string(deep)])?.code == 107)
  }

  @Test func `a query has its size, and not more`() {
    func list(_ count: Int) -> JSON { ["score": ["$in": .array((0..<count).map { .int($0) })]] }
    #expect(QueryStage.error(["where": list(19_997)]) == nil)
    #expect(QueryStage.error(["where": list(19_998)])?.code == 102)
    func conditions(_ count: Int) -> JSON { ["$or": .array((0..<count).map { ["score": .int($0)] })] }
    #expect(QueryStage.error(["where": conditions(300)]) == nil)
    #expect(QueryStage.error(["where": conditions(301)])?.code == 102)
    func patterns(_ count: Int) -> JSON { ["tags": ["$all": .array((0..<count).map { _ in ["$regex": "a"] })]] }
    #expect(QueryStage.error(["where": patterns(20)]) == nil)
    #expect(QueryStage.error(["where": patterns(21)])?.code == 102)
    func pattern(_ count: Int) -> JSON { ["name": ["$regex": .string(String(repeating: "a", count: count))]] }
    #expect(QueryStage.error(["where": pattern(4_096)]) == nil)
    #expect(QueryStage.error(["where": pattern(4_097)])?.code == 102)
    let inner: JSON = ["owner": ["$inQuery": ["className": "_User", "where": [:]]]]
    #expect(QueryStage.error(["where": ["$or": .array(Array(repeating: inner, count: 10))]]) == nil)
    #expect(QueryStage.error(["where": ["$or": .array(Array(repeating: inner, count: 11))]])?.code == 102)
  }

  @Test func `parameters come as text or as values`() throws {
    let query = try QueryStage.query([
      "limit": "7", "skip": 3, "count": "1", "order": " -score, name", "keys": "name,info.city",
      "include": "owner.team",
      "excludeKeys": ["score"], "redirectClassNameForKey": "owner", "hint": "x", "readPreference": "SECONDARY",
    ])
    #expect(query.limit == 7 && query.skip == 3 && query.counts)
    #expect(query.order.map(\.path.text) == ["score", "name"] && query.order.map(\.isDescending) == [true, false])
    #expect(query.selection.include == [["info"], ["owner"], ["owner", "team"]])
    #expect(query.fields == ["score", "name"])
    #expect(try QueryStage.query([:]).limit == 100)
    #expect(try QueryStage.query(["limit": 1_000_000]).limit == ObjectsLimits.results + 1)
    #expect(try QueryStage.query(["limit": 0, "count": "0"]).limit == 0)
    #expect(try QueryStage.query(["where": ["$or": [["a.b": 1], ["c": ["$gt": 1]]]]]).fields == ["a", "c"])
    #expect(try QueryStage.query(["include": "*"]).selection.includesAll)
    #expect(try !QueryStage.query(["includeAll": false, "count": "false"]).counts)
  }

  @Test func `one object has fewer parameters`() throws {
    #expect(try Selection(ofOne: [.init("keys", "a,b")]).keys == [["a"], ["b"]])
    #expect(throws: ObjectError.self) { try Selection(ofOne: [.init("where", [:])]) }
  }

  // MARK: Order

  @Test func `objects are sorted by kind and worth, and stay where they are equal`() throws {
    let values: [String] = [
      #""b""#, "2", "true", "null", #""a""#, "1.5", "[9,0]", #"{"__type":"Date","iso":"2026-01-01T00:00:00.000Z"}"#,
      #"{"a":1}"#, #"{"__type":"Pointer","className":"C","objectId":"x"}"#, "false", "9007199254740993",
      "9007199254740992.0",
    ]
    let objects = values.enumerated().map { place, value in
      QueryStage.photo("{\"any\":\(value),\"same\":1}", id: "\(place)")
    }
    let query = try QueryStage.query(["order": "any"])
    let ids = query.sorted(objects).map(\.id)
    #expect(ids == ["3", "6", "5", "1", "12", "11", "4", "0", "8", "9", "10", "2", "7"])
    let back = try QueryStage.query(["order": "-any"]).sorted(objects).map(\.id)
    #expect(back == ["7", "2", "10", "9", "8", "0", "4", "11", "12", "6", "1", "5", "3"])
    #expect(try QueryStage.query(["order": "same,-objectId"]).sorted(objects).map(\.id).prefix(2) == ["9", "8"])
    #expect(try QueryStage.query(["order": "same"]).sorted(objects) == objects)
    #expect(try QueryStage.query([:]).sorted(objects) == objects)
  }

  @Test func `the nearest come first, unless another order is asked for`() throws {
    let objects = [3, 1, 2].map {
      QueryStage.photo(
        #"{"place":{"__type":"GeoPoint","latitude":\#($0),"longitude":0},"score":\#($0 == 2 ? 0 : $0)}"#, id: "\($0)")
    }
    let near: JSON = ["place": ["$nearSphere": ["__type": "GeoPoint", "latitude": 0, "longitude": 0]]]
    #expect(try QueryStage.query(["where": near]).sorted(objects).map(\.id) == ["1", "2", "3"])
    #expect(try QueryStage.query(["where": near, "order": "score"]).sorted(objects).map(\.id) == ["2", "1", "3"])
  }

  // MARK: Selection

  @Test func `keys choose, and the object stays an object`() throws {
    let object = try JSON(
      parsing: #"{"objectId":"p1","createdAt":"t","updatedAt":"t","a":{"b":1,"c":2},"d":3,"ACL":{},"#
        + #""o":{"__type":"Object","className":"_User","objectId":"u1","name":"Ada","x":1},"#
        + #""p":{"__type":"Pointer","className":"_User","objectId":"u2"},"l":[{"m":1,"n":2}]}"#)
    func shown(_ parameters: JSON) throws -> JSON { try QueryStage.query(parameters).selection.shown(object) }
    #expect(try shown([:]) == object)
    let some = try shown(["keys": "a.b,o.name,p.name,l.m,objectId"])
    #expect(some["a"] == ["b": 1] && some["d"] == nil && some["objectId"] == "p1" && some["ACL"] == [:])
    #expect(some["o"]?["name"] == "Ada" && some["o"]?["x"] == nil && some["o"]?["className"] == "_User")
    #expect(some["p"] == object["p"] && some["l"] == [["m": 1]])
    let fewer = try shown(["excludeKeys": "a.b,d,objectId,o.x"])
    #expect(fewer["a"] == ["c": 2] && fewer["d"] == nil && fewer["objectId"] == "p1" && fewer["o"]?["x"] == nil)
    #expect(fewer["o"]?["name"] == "Ada")
  }
}
