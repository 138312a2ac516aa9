import Objects
import Wire

/// A class with a field of every type, an object of it, and queries for it.
enum QueryStage {
  static let schema = ClassSchema(
    name: "Photo",
    fields: [
      "name": .init(.string), "score": .init(.number), "big": .init(.number), "isOpen": .init(.boolean),
      "taken": .init(.date), "owner": .init(.pointer("_User")), "tags": .init(.array), "numbers": .init(.array),
      "place": .init(.geoPoint), "data": .init(.bytes), "file": .init(.file), "info": .init(.object),
      "lines": .init(.array), "likes": .init(.relation("_User")), "friends": .init(.array), "none": .init(.string),
    ])

  static let photo = photo(
    """
    {"name":"Grüße","score":3,"big":9007199254740993,"isOpen":true,
    "taken":{"__type":"Date","iso":"2026-01-02T03:04:05.006Z"},
    "owner":{"__type":"Pointer","className":"_User","objectId":"u1"},"tags":["a","b","b"],"numbers":[1,2.5,7],
    "place":{"__type":"GeoPoint","latitude":52.5,"longitude":13.4},"data":{"__type":"Bytes","base64":"AQI="},
    "file":{"__type":"File","name":"x_a.png","url":"http://h/x_a.png"},
    "info":{"city":{"name":"Ulm","zip":89073},"list":[5,6]},
    "lines":[{"price":2,"name":"x"},{"price":9,"name":"y"}],
    "friends":[{"__type":"Pointer","className":"_User","objectId":"u2"}]}
    """)

  static func photo(
    _ fields: String, id: String = "p1", createdAt: Int = 1_767_225_600_000, updatedAt: Int = 1_767_225_600_500
  ) -> StoredObject {
    StoredObject(
      className: "Photo", id: id, createdAt: createdAt, updatedAt: updatedAt,
      fields: try! JSON(parsing: fields).members!)
  }

  static func query(_ condition: String, schema: ClassSchema? = schema) throws(ObjectError) -> ObjectQuery {
    try ObjectQuery(className: "Photo", parameters: [.init("where", .string(condition))], schema: schema)
  }

  static func query(_ parameters: JSON) throws(ObjectError) -> ObjectQuery {
    try ObjectQuery(className: "Photo", parameters: parameters.members!, schema: schema)
  }

  static func error(_ parameters: JSON) -> ObjectError? {
    do throws(ObjectError) {
      _ = try query(parameters)
      return nil
    } catch {
      return error
    }
  }
}
