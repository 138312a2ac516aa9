import Objects
import Testing
import Wire

struct MatchingTests {
  static let met: [String] = [
    "{}", #"{"name":"Grüße"}"#, #"{"name":{"$eq":"Grüße"},"score":3}"#, #"{"score":3.0}"#, #"{"score":{"$ne":4}}"#,
    #"{"name":{"$ne":3}}"#, #"{"objectId":"p1"}"#, #"{"objectId":{"$in":["p0","p1"]}}"#, #"{"isOpen":true}"#,
    #"{"big":9007199254740993}"#, #"{"big":{"$gt":9007199254740992.0}}"#, #"{"big":{"$lt":1e300}}"#,
    #"{"score":{"$lt":3.5,"$gte":3}}"#, #"{"score":{"$lte":3,"$gt":-1e300}}"#, #"{"name":{"$gt":"Grz","$lt":"Gs"}}"#,
    // A missing field is null.
    #"{"none":null}"#, #"{"none":{"$exists":false}}"#, #"{"none":{"$in":[null,"x"]}}"#, #"{"name":{"$ne":null}}"#,
    #"{"none":{"$nin":["x"]}}"#, #"{"none":{"$ne":"x"}}"#, #"{"name":{"$exists":true}}"#, #"{"none":{"$lte":null}}"#,
    // Dates
    #"{"taken":{"__type":"Date","iso":"2026-01-02T03:04:05.006Z"}}"#,
    #"{"taken":{"__type":"Date","iso":"2026-01-02T04:04:05.006+01:00"}}"#,
    #"{"taken":{"$lt":{"__type":"Date","iso":"2026-01-02T03:04:05.007Z"}}}"#, #"{"taken":"2026-01-02T03:04:05.006Z"}"#,
    #"{"taken":{"$gt":{"__type":"Date","iso":"0000-01-01T00:00:00.000Z"}}}"#,
    #"{"createdAt":{"__type":"Date","iso":"2026-01-01T00:00:00.000Z"}}"#, #"{"createdAt":"2026-01-01T00:00:00.000Z"}"#,
    #"{"updatedAt":{"$gt":{"__type":"Date","iso":"2026-01-01T00:00:00.000Z"}}}"#,
    // Pointers, bytes, files
    #"{"owner":{"__type":"Pointer","className":"_User","objectId":"u1"}}"#, #"{"owner":"u1"}"#,
    #"{"owner":{"$in":["u0","u1"]}}"#, #"{"owner":{"__type":"Object","className":"_User","objectId":"u1","x":1}}"#,
    #"{"data":{"__type":"Bytes","base64":"AQI="}}"#, #"{"file":{"__type":"File","name":"x_a.png"}}"#,
    // Lists
    #"{"tags":"a"}"#, #"{"tags":["a","b","b"]}"#, #"{"tags":{"$in":["z","b"]}}"#, #"{"tags":{"$in":[["z","b"]]}}"#,
    #"{"tags":{"$all":["b","a"]}}"#, #"{"tags":{"$all":[{"$regex":"^a"},{"$regex":"B","$options":"i"}]}}"#,
    #"{"tags":{"$containedBy":["a","b","c"]}}"#, #"{"tags":{"$ne":"c"}}"#, #"{"tags":{"$nin":["c","d"]}}"#,
    #"{"numbers":{"$gt":6}}"#, #"{"numbers":{"$lt":2,"$gt":6}}"#, #"{"numbers":2.5}"#, #"{"name":{"$all":["Grüße"]}}"#,
    #"{"friends":{"__type":"Pointer","className":"_User","objectId":"u2"}}"#, #"{"tags":{"$regex":"^b$"}}"#,
    // Within objects
    #"{"info.city.name":"Ulm"}"#, #"{"info.city.zip":{"$gt":89000}}"#, #"{"info.list":5}"#, #"{"info.list.1":6}"#,
    #"{"lines.price":9}"#, #"{"lines.0.price":2}"#, #"{"lines.price":{"$lt":5}}"#, #"{"info.nowhere":null}"#,
    #"{"info.city":{"zip":89073,"name":"Ulm"}}"#, #"{"lines":{"name":"y","price":9}}"#, #"{"info.city.x":{"$ne":1}}"#,
    #"{"owner.objectId":"u1"}"#, #"{"info.city.name":{"$exists":true}}"#,
    // Regular expressions
    #"{"name":{"$regex":"üß"}}"#, #"{"name":{"$regex":"^\\Qgr\\E","$options":"i"}}"#, #"{"name":{"$regex":"^G.+e$"}}"#,
    #"{"name":{"$regex":"^ g r #x\n üß","$options":"xi"}}"#,
    // Together
    #"{"$or":[{"score":4},{"name":"Grüße"}]}"#, #"{"$and":[{"score":3},{"$nor":[{"score":4},{"tags":"z"}]}]}"#,
    #"{"score":{"$gt":1},"$or":[{"$and":[{"isOpen":true}]}]}"#,
    // Places
    #"{"place":{"__type":"GeoPoint","latitude":52.5,"longitude":13.4}}"#,
    #"{"place":{"$nearSphere":{"__type":"GeoPoint","latitude":52.6,"longitude":13.4},"$maxDistanceInKilometers":12}}"#,
    #"{"place":{"$nearSphere":{"__type":"GeoPoint","latitude":-52.6,"longitude":-166}}}"#,
    #"{"place":{"$within":{"$box":[{"__type":"GeoPoint","latitude":52,"longitude":13},"#
      + #"{"__type":"GeoPoint","latitude":53,"longitude":14}]}}}"#,
    #"{"place":{"$geoWithin":{"$polygon":[[52,13],[53,13],[53,14],[52,14]]}}}"#,
    #"{"place":{"$geoWithin":{"$polygon":{"__type":"Polygon","coordinates":[[52,13],[53,13],[53,14],[52,13]]}}}}"#,
    #"{"place":{"$geoWithin":{"$centerSphere":[[13.4,52.6],0.002]}}}"#,
  ]

  static let unmet: [String] = [
    #"{"name":"grüße"}"#, #"{"score":"3"}"#, #"{"score":{"$gt":3}}"#, #"{"score":{"$lt":"9"}}"#, #"{"score":null}"#,
    #"{"big":9007199254740992}"#, #"{"big":9007199254740992.0}"#, #"{"big":{"$gte":9007199254740994.0}}"#,
    #"{"name":{"$nin":["Grüße"]}}"#, #"{"name":{"$exists":false}}"#, #"{"none":{"$exists":true}}"#, #"{"none":"x"}"#,
    #"{"none":{"$lt":5}}"#, #"{"none":{"$ne":null}}"#, #"{"none":{"$regex":""}}"#, #"{"isOpen":1}"#,
    #"{"taken":{"__type":"Date","iso":"2026-01-02T03:04:05.007Z"}}"#,
    #"{"createdAt":{"$gt":{"__type":"Date","iso":"2026-01-01T00:00:00.000Z"}}}"#,
    #"{"owner":{"__type":"Pointer","className":"_Role","objectId":"u1"}}"#, #"{"owner":"u2"}"#,
    #"{"tags":{"$ne":"a"}}"#, #"{"tags":{"$nin":["b"]}}"#, #"{"tags":{"$all":["a","z"]}}"#, #"{"tags":{"$all":[]}}"#,
    #"{"tags":{"$containedBy":["a","c"]}}"#, #"{"none":{"$containedBy":["a"]}}"#, #"{"tags":["a","b"]}"#,
    #"{"tags":{"$in":[]}}"#, #"{"tags":"A"}"#, #"{"numbers":{"$gt":7}}"#, #"{"lines.price":{"$gt":9}}"#,
    #"{"info.city.name":"ulm"}"#, #"{"info.list.2":6}"#, #"{"info.city.name.x":"Ulm"}"#, #"{"lines.2.price":9}"#,
    #"{"name":{"$regex":"^r"}}"#, #"{"score":{"$regex":"3"}}"#, #"{"$or":[{"score":4},{"name":"x"}]}"#,
    #"{"$nor":[{"score":3}]}"#, #"{"$and":[{"score":3},{"isOpen":false}]}"#,
    // Decomposed letters look the same and are others.
    #"{"name":"Gru\u0308ße"}"#,
    #"{"place":{"$nearSphere":{"__type":"GeoPoint","latitude":52.6,"longitude":13.4},"$maxDistanceInKilometers":11}}"#,
    #"{"place":{"$nearSphere":{"__type":"GeoPoint","latitude":52.6,"longitude":13.4},"$maxDistanceInMiles":6}}"#,
    #"{"name":{"$nearSphere":{"__type":"GeoPoint","latitude":52.6,"longitude":13.4}}}"#,
    #"{"place":{"$within":{"$box":[{"latitude":53,"longitude":13},{"latitude":54,"longitude":14}]}}}"#,
    #"{"place":{"$geoWithin":{"$polygon":[[52,13],[53,13],[53,13.2],[52,13.2]]}}}"#,
    #"{"place":{"$geoWithin":{"$centerSphere":[[13.4,52.6],0.001]}}}"#,
  ]

  @Test(arguments: met)
  func `an object is found by`(condition: String) throws {
    #expect(try QueryStage.query(condition).matches(QueryStage.photo))
  }

  @Test(arguments: unmet)
  func `an object is not found by`(condition: String) throws {
    #expect(try !QueryStage.query(condition).matches(QueryStage.photo))
  }

  @Test func `a field of null is there, and is null`() throws {
    let photo = QueryStage.photo(#"{"name":null,"tags":[null]}"#)
    for condition in [#"{"name":null}"#, #"{"name":{"$exists":true}}"#, #"{"tags":null}"#] {
      #expect(try QueryStage.query(condition).matches(photo), "\(condition)")
    }
    #expect(try !QueryStage.query(#"{"name":{"$ne":null}}"#).matches(photo))
  }

  @Test func `a class without a schema is asked all the same`() throws {
    #expect(try QueryStage.query(#"{"score":3,"tags":"a"}"#, schema: nil).matches(QueryStage.photo))
    let created = #"{"createdAt":{"$gte":"2026-01-01T00:00:00.000Z"}}"#
    #expect(try QueryStage.query(created, schema: nil).matches(QueryStage.photo))
  }

  // MARK: Regular expressions

  @Test func `a pattern that tries everything ends, and says so`() throws {
    let query = try QueryStage.query(#"{"name":{"$regex":"^(a+)+$"}}"#)
    #expect(query.matches(QueryStage.photo(#"{"name":"aaaaaaaaa"}"#)))
    #expect(query.fault == nil)
    let long = String(repeating: "a", count: 60)
    let clock = ContinuousClock()
    let time = clock.measure { #expect(!query.matches(QueryStage.photo("{\"name\":\"\(long)!\"}"))) }
    #expect(time < .seconds(5))
    #expect(query.fault?.code == 124)
  }

  @Test func `a pattern ends in a list of texts of which each takes almost too long, and says so`() throws {
    let query = try QueryStage.query(#"{"tags":{"$regex":"^(a+)+$"}}"#)
    var photo = QueryStage.photo
    photo.set("tags", .array(Array(repeating: "aaaaaaaaaaaab", count: 50_000)))
    let clock = ContinuousClock()
    let time = clock.measure { #expect(!query.matches(photo)) }
    #expect(time < .seconds(5))
    #expect(query.fault?.code == 124)
    // The next object has its own time.
    #expect(query.matches(QueryStage.photo(#"{"tags":["b","aa"]}"#)))
  }

  @Test func `a plain search goes through a long text`() throws {
    let query = try QueryStage.query(#"{"name":{"$regex":"[y-z]$"}}"#)
    #expect(query.matches(QueryStage.photo("{\"name\":\"\(String(repeating: "a", count: 500_000))z\"}")))
    #expect(query.fault == nil)
  }

  // MARK: Other objects

  @Test func `an inner query is asked first, and its objects are pointers`() throws {
    var query = try QueryStage.query(
      #"{"score":3,"owner":{"$inQuery":{"className":"_User","where":{"name":"Ada"},"limit":5}}}"#)
    guard case .objects("_User", let parameters, nil) = try #require(query.subqueries.first).source else {
      Issue.record("no question about users")
      return
    }
    #expect(parameters.map(\.name) == ["where", "limit"])
    #expect(!query.matches(QueryStage.photo))
    try query.resolve { _ throws(ObjectError) in [StoredObject.pointer(to: "u1", of: "_User")] }
    #expect(query.matches(QueryStage.photo))
    #expect(query.narrowing.map(\.comparison) == [.equal, .anyOf])
    var other = try QueryStage.query(#"{"owner":{"$notInQuery":{"className":"_User","where":{}}}}"#)
    #expect(!other.matches(QueryStage.photo))
    try other.resolve { _ throws(ObjectError) in [StoredObject.pointer(to: "u1", of: "_User")] }
    #expect(!other.matches(QueryStage.photo))
    #expect(other.matches(QueryStage.photo("{}")))
  }

  @Test func `a key is compared with what other objects have there`() throws {
    var query = try QueryStage.query(
      #"{"$or":[{"name":{"$select":{"query":{"className":"Team","where":{}},"key":"home.town"}}}]}"#)
    guard case .objects("Team", _, let key?) = try #require(query.subqueries.first).source else {
      Issue.record("no question about teams")
      return
    }
    #expect(key.text == "home.town")
    try query.resolve { _ throws(ObjectError) in [.null, "Grüße", ["x", "y"]] }
    #expect(query.matches(QueryStage.photo))
    #expect(!query.matches(QueryStage.photo("{}")))
    #expect(query.matches(QueryStage.photo(#"{"name":"y"}"#)))
  }

  @Test func `relations are asked from both ends`() throws {
    var liked = try QueryStage.query(#"{"likes":{"__type":"Pointer","className":"_User","objectId":"u3"}}"#)
    guard case .owning("likes", ["u3"]) = try #require(liked.subqueries.first).source else {
      Issue.record("no question about likes")
      return
    }
    try liked.resolve { _ throws(ObjectError) in ["p1", "p2"] }
    #expect(liked.matches(QueryStage.photo))
    var related = try QueryStage.query(
      #"{"$relatedTo":{"object":{"__type":"Pointer","className":"Album","objectId":"a1"},"key":"photos"}}"#)
    guard case .related("Album", "a1", "photos") = try #require(related.subqueries.first).source else {
      Issue.record("no question about an album")
      return
    }
    try related.resolve { _ throws(ObjectError) in ["p2"] }
    #expect(!related.matches(QueryStage.photo))
  }
}
