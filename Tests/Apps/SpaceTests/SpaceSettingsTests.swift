import Hub
import Pictures
import Space
import Testing
import Wire

struct SpaceSettingsTests {
  static let good = """
    {"name":"Nordlicht","logo":"https://a.example/l.svg","url":"http://a.example","address":"Street 1",
     "lat":53.1,"lon":-8,"timezone":"Europe/Berlin","contact":{"email":"a@a.example","keymasters":[{"phone":"+49 1"}]},
     "opening_hours":"Tu 18:00-23:00"}
    """

  /// All fields of the place and the space in one request.
  struct All {
    var place: Place
    var space: SpaceSettings

    /// As it would be sent again.
    var text: String { JSON.object(place.members + space.members).text }
  }

  static func check(_ text: String) throws -> All {
    let known = [
      "name", "logo", "url", "color", "address", "lat", "lon", "timezone", "contact", "opening_hours", "legal_notice",
      "privacy",
    ]
    var check = FieldCheck(try JSON(parsing: text), known: known, nullIsNothing: true)
    let place = Place(&check)
    let space = SpaceSettings(&check)
    guard check.errors.isEmpty, let place else { throw FieldErrors(check.errors) }
    return All(place: place, space: space)
  }

  @Test func `good settings are kept as they came`() throws {
    let all = try Self.check(Self.good)
    #expect(all.place.coordinates == .init(latitude: 53.1, longitude: -8))
    let again = try Self.check(all.text)
    #expect(again.text == all.text && again.space == all.space)
  }

  @Test(arguments: [
    ("\"lat\":53.1", "\"lat\":91", "lat"), ("\"lat\":53.1", "\"lat\":\"53\"", "lat"), ("\"lat\":53.1,", "", "lat"),
    ("\"name\"", "\"color\":\"red\",\"name\"", "color"),
    ("\"lon\":-8", "\"lon\":-181", "lon"), ("Europe/Berlin", "Mars/Base", "timezone"),
    ("\"name\":\"Nordlicht\"", "\"name\":\"\"", "name"), ("\"name\":\"Nordlicht\"", "\"name\":null", "name"),
    ("https://a.example/l.svg", "l.svg", "logo"), ("http://a.example\"", "javascript:alert(1)\"", "url"),
    ("\"email\"", "\"fax\"", "contact.fax"), ("\"a@a.example\"", "5", "contact.email"),
    ("\"phone\"", "\"shoe\"", "contact.keymasters[0].shoe"), ("[{\"phone\":\"+49 1\"}]", "[]", "contact.keymasters"),
    ("\"address\"", "\"adress\"", "adress"),
    ("\"name\"", "\"privacy\":\"here\",\"name\"", "privacy"),
  ])
  func `each wrong field is named`(part: String, replacement: String, field: String) {
    let error = #expect(throws: FieldErrors.self) {
      try Self.check(Self.good.replacing(part, with: replacement))
    }
    #expect(error?.errors.contains { $0.field == field } == true, "\(error?.message ?? "")")
  }

  @Test func `all that is wrong is told at once`() {
    let error = #expect(throws: FieldErrors.self) { try Self.check(#"{"name":5,"lat":200,"url":{}}"#) }
    let fields = error?.errors.map(\.field) ?? []
    #expect(fields == ["name", "lat", "timezone", "url"])
  }

  @Test func `version 15 forbids an open that is null, so an unknown one is absent`() throws {
    let all = try Self.check(Self.good)
    let unknown = SpaceAPI.document(all.place, all.space, .unknown, past: [], origin: "https://hub.example")
    #expect(unknown["state"] == [:])
    let known = SpaceAPI.document(
      all.place, all.space, Sign(open: false, lastChange: 5), past: [], origin: "https://hub.example")
    #expect(known["state"] == ["open": false, "lastchange": 5])
    #expect(known["api_compatibility"] == ["14", "15"])
  }

  @Test func `a name and a time zone are enough`() throws {
    let all = try Self.check(#"{"name":"Nordlicht","timezone":"Europe/Berlin"}"#)
    let document = SpaceAPI.document(all.place, all.space, .unknown, past: [], origin: "https://hub.example")
    #expect(document["api_compatibility"] == ["15"])
    #expect(document["url"] == "https://hub.example")
    #expect(document["logo"] == "https://hub.example/icon-512.png")
    #expect(document["location"] == ["timezone": "Europe/Berlin"])
    let logo = Picture(name: .logo, type: .png, digest: "0123456789abcdef")
    let with = SpaceAPI.document(
      all.place, all.space, .unknown, past: [], pictures: [logo], origin: "https://hub.example")
    #expect(with["logo"] == "https://hub.example/space/pictures/logo?v=0123456789ab")
  }
}
