import Crypto
import Galleries
import Markup
import Wire

/// A picture or video of a list of Flickr's.
struct FlickrPhoto {
  let json: JSON
  let id: String

  /// Nil for what has no id: it cannot be fetched, or found again.
  init?(_ json: JSON) {
    guard let id = json["id"]?.words, !id.isEmpty, id.utf8.count <= 40 else { return nil }
    (self.json, self.id) = (json, id)
  }

  /// A file of the picture, and its pixels if they are known.
  struct File: Equatable {
    var url: String
    var width: Int?
    var height: Int?

    var longSide: Int? { width.flatMap { width in height.map { max(width, $0) } } }
  }

  /// The largest file up to 2,048 pixels: the first one that is there, since Flickr withholds large ones of some
  /// accounts, and each photographer may withhold others. Nil if there is none.
  func file(_ addresses: FlickrAddresses) -> File? {
    let files = FlickrSize.allCases.compactMap { size in named(size).map { (size, $0) } }
    func side(_ file: (FlickrSize, File)) -> Int { file.1.longSide ?? file.0.longSide ?? .max }
    let made = files.filter { $0.0 != .original && side($0) <= FlickrLimits.longSide }.max { side($0) < side($1) }
    let original = files.first.flatMap { $0.0 == .original ? $0 : nil }
    guard let made else { return (original ?? files.last)?.1 ?? built(addresses) }
    // A small original is the largest file. It may not have been turned with the others.
    if let original, side(original) <= FlickrLimits.longSide, side(original) > side(made),
      Self.lieAlike(original.1, made.1)
    {
      return original.1
    }
    return made.1
  }

  private func named(_ size: FlickrSize) -> File? {
    guard let url = json["url_\(size.rawValue)"]?.words, url.hasPrefix("https://") || url.hasPrefix("http://"),
      url.utf8.count <= GalleryLimits.file / 2
    else { return nil }
    func side(_ name: String) -> Int? { json["\(name)_\(size.rawValue)"]?.whole.flatMap { $0 > 0 ? $0 : nil } }
    return File(url: url, width: side("width"), height: side("height"))
  }

  /// The address of the largest file that everybody may have, made of the picture's parts.
  private func built(_ addresses: FlickrAddresses) -> File? {
    guard let server = json["server"]?.words, let secret = json["secret"]?.words, !secret.isEmpty, server != "0" else {
      return nil
    }
    let parts = [server, id, secret].map { percentEncoded($0) }
    return File(url: "\(addresses.files)/\(parts[0])/\(parts[1])_\(parts[2])_b.jpg")
  }

  private static func lieAlike(_ one: File, _ other: File) -> Bool {
    guard let width = one.width, let height = one.height, let otherWidth = other.width, let otherHeight = other.height
    else { return true }
    return (width > height) == (otherWidth > otherHeight) || width == height
  }

  // MARK: As a source tells it

  /// - Parameter owner: the id of the set's owner.
  func picture(owner: String, _ addresses: FlickrAddresses) -> SourcePicture {
    let isVideo = json["media"]?.words == "video"
    let found = file(addresses)
    let secrets = [json["secret"]?.words, found.map { String($0.url.split(separator: "/").last ?? "") }]
    return SourcePicture(
      id: id,
      // Without the secrets themselves: whoever knows them may see the picture.
      version: Digest.hex(Digest.sha256("\(secrets)".utf8).prefix(12)),
      kind: isVideo ? .video : .picture, title: String((json["title"]?.words ?? "").prefix(GalleryLimits.title)),
      caption: Self.plain(json["description"]), taken: taken,
      uploaded: json["dateupload"]?.decimal, width: found?.width, height: found?.height, place: place,
      // A list that does not say it is one of a photographer who may see it all.
      isPrivate: json["ispublic"]?.whole != 1,
      page: "\(addresses.pages)/photos/\(percentEncoded(alias ?? owner))/\(percentEncoded(id))/",
      license: json["license"]?.whole.flatMap { Self.licenses[$0] },
      file: FlickrFile(url: isVideo ? nil : found?.url, photo: id).text)
  }

  /// A description as plain text; Flickr's may have some HTML in it.
  static func plain(_ description: JSON?) -> String {
    guard let words = description?.words, !words.isEmpty else { return "" }
    return String(plainText(fromHTML: cleanDescription(words)).prefix(GalleryLimits.text))
  }

  private var alias: String? { json["pathalias"]?.words.flatMap { $0.isEmpty ? nil : $0 } }

  /// "2026-11-21 18:04:00", without a zone, unless Flickr has only guessed it.
  private var taken: String? {
    guard json["datetakenunknown"]?.whole ?? 0 == 0, json["datetakengranularity"]?.whole ?? 0 == 0,
      let text = json["datetaken"]?.words,
      text.wholeMatch(of: /[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}/) != nil, !text.hasPrefix("0000")
    else { return nil }
    return "\(text.prefix(10))T\(text.suffix(8))"
  }

  /// Flickr writes 0, 0 for a picture without a place.
  private var place: SourcePlace? {
    guard let latitude = json["latitude"]?.decimal, let longitude = json["longitude"]?.decimal,
      (-90...90).contains(latitude), (-180...180).contains(longitude), latitude != 0 || longitude != 0
    else { return nil }
    return SourcePlace(latitude: latitude, longitude: longitude)
  }

  /// flickr.photos.licenses.getInfo.
  static let licenses = [
    0: "All rights reserved", 1: "CC BY-NC-SA 2.0", 2: "CC BY-NC 2.0", 3: "CC BY-NC-ND 2.0", 4: "CC BY 2.0",
    5: "CC BY-SA 2.0", 6: "CC BY-ND 2.0", 7: "No known copyright restrictions", 8: "United States government work",
    9: "CC0 1.0", 10: "Public Domain Mark 1.0", 11: "CC BY 4.0", 12: "CC BY-SA 4.0", 13: "CC BY-ND 4.0",
    14: "CC BY-NC 4.0", 15: "CC BY-NC-SA 4.0", 16: "CC BY-NC-ND 4.0",
  ]
}

/// The words of a picture from which its file is found again: a picture's address; of a video its id, since
/// addresses of streams are good for a while only.
struct FlickrFile: Equatable {
  var url: String?
  var photo: String

  var text: String { JSON.object([.init("photo", .string(photo)), .init("url", JSON(url))]).text }

  init(url: String?, photo: String) { (self.url, self.photo) = (url, photo) }

  init?(_ text: String) {
    guard let json = try? JSON(parsing: text), let photo = json["photo"]?.string else { return nil }
    self.init(url: json["url"]?.string, photo: photo)
  }
}
