import Wire

/// A person at Flickr.
public struct FlickrPerson: Equatable, Sendable {
  /// Such as 12037949754@N01.
  public var id: String
  public var name: String

  /// - Parameter json: has the name that they show, if they show one.
  init(id: String, _ json: JSON?) {
    let shown = [json?["realname"]?.words, json?["username"]?.words].compactMap { $0 }.first { !$0.isEmpty }
    (self.id, name) = (id, FlickrAnswer.short(shown ?? id))
  }
}

/// The methods that are called, as flickr.com/services/api describes them.
extension FlickrAPI {
  /// Finds a person.
  /// - Parameter name: an id, an address of their pages, the last word of such an address, or the name they show.
  /// - Throws: `.refused` with code 1 if there is none, 5 if the account is deleted.
  public func person(_ name: String, as token: FlickrToken? = nil) async throws(FlickrFault) -> FlickrPerson {
    if Self.isId(name) { return try await person(id: name, as: token) }
    if name.hasPrefix("https://") || name.hasPrefix("http://") { return try await person(address: name, as: token) }
    do throws(FlickrFault) {
      return try await found(call("flickr.people.findByUsername", [("username", name)], as: token), name)
    } catch {
      guard case .refused(1, _) = error else { throw error }
      return try await person(address: "\(addresses.pages)/photos/\(percentEncoded(name))/", as: token)
    }
  }

  private func person(id: String, as token: FlickrToken?) async throws(FlickrFault) -> FlickrPerson {
    let answer = try await call("flickr.people.getInfo", [("user_id", id)], as: token)
    return try found(answer, id, member: "person")
  }

  private func person(address: String, as token: FlickrToken?) async throws(FlickrFault) -> FlickrPerson {
    try await found(call("flickr.urls.lookupUser", [("url", address)], as: token), address)
  }

  private func found(
    _ answer: JSON, _ name: String, member: String = "user"
  ) throws(FlickrFault) -> FlickrPerson {
    let user = answer[member]
    guard let id = user?["nsid"]?.words ?? user?["id"]?.words, Self.isId(id) else {
      throw .refused(code: 1, words: Reason(.flickrNoUser, ["name": .text(FlickrAnswer.short(name))]).text)
    }
    return FlickrPerson(id: id, user)
  }

  /// True for an id: digits, "@N" and two digits.
  static func isId(_ text: String) -> Bool { text.wholeMatch(of: /[0-9]{1,20}@N[0-9]{2}/) != nil }

  /// The people whom the token's owner follows, the first some thousand.
  public func contacts(as token: FlickrToken) async throws(FlickrFault) -> [FlickrPerson] {
    var (people, known): ([FlickrPerson], Set<String>) = ([], [])
    for page in 1...FlickrLimits.contactPages {
      let answer = try await call(
        "flickr.contacts.getList", [("page", "\(page)"), ("per_page", "\(FlickrLimits.contacts)")], as: token)
      let contacts = answer["contacts"] ?? .null
      for contact in contacts.list("contact") {
        guard let id = contact["nsid"]?.words, Self.isId(id), known.insert(id).inserted else { continue }
        people.append(FlickrPerson(id: id, contact))
      }
      guard page < contacts["pages"]?.whole ?? 1 else { break }
    }
    return people
  }

  func sets(of user: String, page: Int, as token: FlickrToken?) async throws(FlickrFault) -> JSON {
    let answer = try await call(
      "flickr.photosets.getList",
      [("user_id", user), ("page", "\(page)"), ("per_page", "\(FlickrLimits.page)")], as: token)
    return answer["photosets"] ?? .null
  }

  func collections(of user: String, as token: FlickrToken?) async throws(FlickrFault) -> JSON {
    let answer = try await call(
      "flickr.collections.getTree", [("collection_id", "0"), ("user_id", user)], as: token)
    return answer["collections"] ?? .null
  }

  func photos(
    in set: String, of user: String, page: Int, as token: FlickrToken?
  ) async throws(FlickrFault) -> JSON {
    let answer = try await call(
      "flickr.photosets.getPhotos",
      [
        ("photoset_id", set), ("user_id", user), ("page", "\(page)"), ("per_page", "\(FlickrLimits.page)"),
        ("media", "all"), ("extras", Self.extras),
      ], as: token)
    return answer["photoset"] ?? .null
  }

  /// With these, a list says all about a picture: no call for one of them is needed.
  static let extras =
    "description,license,date_upload,date_taken,original_format,last_update,geo,o_dims,media,path_alias,"
    + FlickrSize.allCases.map { "url_\($0.rawValue)" }.joined(separator: ",")

  func sizes(of photo: String, as token: FlickrToken?) async throws(FlickrFault) -> [JSON] {
    let answer = try await call("flickr.photos.getSizes", [("photo_id", photo)], as: token)
    return answer["sizes"]?.list("size") ?? []
  }
}
