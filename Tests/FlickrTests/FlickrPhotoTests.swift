import Galleries
import Testing
import Wire

@testable import Flickr

struct FlickrPhotoTests {
  static func photo(_ more: [(String, JSON)]) throws -> FlickrPhoto {
    let members: [(String, JSON)] = [("id", "5400"), ("secret", "ab12"), ("server", "65535"), ("title", "Evening")]
    return try #require(FlickrPhoto(.object((members + more).map { JSON.Member($0.0, $0.1) })))
  }

  static func sizes(_ sizes: [(String, Int, Int)]) -> [(String, JSON)] {
    sizes.flatMap { letter, width, height -> [(String, JSON)] in
      [
        ("url_\(letter)", .string("https://live.staticflickr.com/1/5400_\(letter).jpg")),
        ("width_\(letter)", .string("\(width)")), ("height_\(letter)", .int(height)),
      ]
    }
  }

  static func file(_ listed: [(String, Int, Int)]) throws -> String? {
    try photo(sizes(listed)).file(FlickrAddresses())?.url.split(separator: "/").last.map(String.init)
  }

  @Test func `the largest file up to 2,048 pixels is taken`() throws {
    let (k, h, l) = (("k", 2_048, 1_365), ("h", 1_600, 1_067), ("l", 1_024, 683))
    #expect(try Self.file([("o", 6_000, 4_000), k, h, l]) == "5400_k.jpg")
    // Withheld sizes: the next smaller one.
    #expect(try Self.file([("o", 6_000, 4_000), h, l]) == "5400_h.jpg")
    #expect(try Self.file([l]) == "5400_l.jpg")
    // A small original is larger than what was made of it, unless it lies otherwise.
    #expect(try Self.file([("o", 1_500, 1_000), l]) == "5400_o.jpg")
    #expect(try Self.file([("o", 1_000, 1_500), l]) == "5400_l.jpg")
    #expect(try Self.file([("o", 1_024, 683), l]) == "5400_l.jpg")
    #expect(try Self.file([("o", 6_000, 4_000)]) == "5400_o.jpg")
    #expect(try Self.file([]) == "5400_ab12_b.jpg")
  }

  @Test func `a picture is told with its words, and is private unless it is public`() throws {
    let more: [(String, JSON)] = [
      ("ispublic", 1), ("pathalias", "ada"), ("license", "4"), ("datetaken", "2026-05-01 12:30:00"),
      ("datetakenunknown", "0"), ("dateupload", "1795000000"), ("latitude", "53.08"), ("longitude", 8.79),
      ("description", ["_content": "By the <a href=\"https://example.org\">sea</a> &amp; sun"]), ("media", "photo"),
    ]
    let picture = try Self.photo(more + Self.sizes([("k", 2_048, 1_365)])).picture(owner: "1@N01", FlickrAddresses())
    #expect(picture.title == "Evening" && picture.caption == "By the sea <https://example.org> & sun")
    #expect(picture.taken == "2026-05-01T12:30:00" && picture.uploaded == 1_795_000_000)
    #expect(picture.width == 2_048 && picture.height == 1_365 && picture.license == "CC BY 2.0")
    #expect(picture.place == SourcePlace(latitude: 53.08, longitude: 8.79) && !picture.isPrivate)
    #expect(picture.page == "https://www.flickr.com/photos/ada/5400/" && picture.kind == .picture)
    #expect(FlickrFile(picture.file)?.url == "https://live.staticflickr.com/1/5400_k.jpg")
    for value: JSON? in [0, "0", nil] {
      let hidden = try Self.photo(value.map { [("ispublic", $0)] } ?? []).picture(owner: "1@N01", FlickrAddresses())
      #expect(hidden.isPrivate && hidden.page == "https://www.flickr.com/photos/1%40N01/5400/")
      #expect(hidden.place == nil && hidden.taken == nil && hidden.caption == "")
    }
  }

  @Test func `a version tells no secret, and changes with it and with the file`() throws {
    func version(_ secret: String, _ letter: String) throws -> String {
      let json: JSON = .object(
        ([("id", "1"), ("secret", .string(secret))] + Self.sizes([(letter, 10, 10)])).map { JSON.Member($0.0, $0.1) })
      return try #require(FlickrPhoto(json)).picture(owner: "1@N01", FlickrAddresses()).version
    }
    let one = try version("ab12", "k")
    #expect(try one == version("ab12", "k") && one != version("ab13", "k") && one != version("ab12", "h"))
    #expect(!one.contains("ab12"))
  }

  @Test func `a video has no file in a list, and the best stream that is there is taken`() throws {
    let video = try Self.photo([("media", "video")] + Self.sizes([("k", 2_048, 1_365)]))
    let picture = video.picture(owner: "1@N01", FlickrAddresses())
    #expect(picture.kind == .video && FlickrFile(picture.file) == FlickrFile(url: nil, photo: "5400"))
    func size(_ label: String, _ media: String = "video") -> JSON {
      ["label": .string(label), "media": .string(media), "source": .string("https://f/\(label)")]
    }
    #expect(
      FlickrSource.stream([size("Site MP4"), size("Video Original"), size("1080p"), size("720p", "photo")])
        == "https://f/1080p")
    #expect(FlickrSource.stream([size("Video Original"), size("Large", "photo")]) == nil)
  }

  @Test func `a JPEG without its end is half a file`() {
    let whole: [UInt8] = [0xff, 0xd8, 1, 2, 3, 0xff, 0xd9]
    #expect(!FlickrSource.isHalf(whole) && !FlickrSource.isHalf(whole + [0, 0]))
    #expect(FlickrSource.isHalf(Array(whole.prefix(5))) && FlickrSource.isHalf([]))
    #expect(!FlickrSource.isHalf(Array("\u{89}PNG".utf8)))
  }

  @Test func `sets in collections have their order, and their names`() {
    let tree: JSON = [
      "collection": [
        [
          "title": "Travel", "set": [["id": "3"], ["id": "1"]],
          "collection": [["title": ["_content": "Norway"], "set": ["id": "7"]]],
        ],
        ["id": "x", "set": [["id": "2"]]],
      ]
    ]
    let places = FlickrSource.sets(in: tree)
    #expect(places.map(\.set) == ["3", "1", "7", "2"] && FlickrSource.sets(in: .null).isEmpty)
    #expect(places.map(\.group) == ["Travel", "Travel", "Travel › Norway", ""])
    let galleries = ["9", "7", "1"].map { SourceGallery(id: $0, title: $0) }
    let ordered = FlickrSource.ordered(galleries, by: places)
    #expect(ordered.map(\.id) == ["1", "7", "9"] && ordered.map(\.group) == ["Travel", "Travel › Norway", ""])
  }
}
