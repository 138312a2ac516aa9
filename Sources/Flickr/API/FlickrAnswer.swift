import Client
import Wire

/// Reads answers of Flickr's API. They are less strict than their documentation: numbers come as texts, texts as
/// objects, and empty lists not at all.
enum FlickrAnswer {
  /// The object of a call that succeeded.
  static func read(status: Int, body: [UInt8], retryAfter: Double? = nil) throws(FlickrFault) -> JSON {
    switch status {
    case 200..<300: break
    case 401: throw oauthProblem(body)
    case 429, 500...599: throw .later(seconds: retryAfter, Reason(.flickrBusy))
    default: throw .unreachable(Reason(.serverAnswered, ["status": .number(status)]))
    }
    let text = unwrapped(body[...])
    // A page for people, in place of an answer: of the load balancer, mostly.
    if text.first == UInt8(ascii: "<") { throw .later(seconds: retryAfter, Reason(.flickrBusy)) }
    guard let json = try? JSON(parsing: Array(text), values: FlickrLimits.answerValues), json.members != nil else {
      throw .unreachable(Reason(.flickrOdd))
    }
    guard json["stat"]?.string != "fail" else {
      throw FlickrFault(code: json["code"]?.whole ?? 0, words: short(json["message"]?.words ?? "?"))
    }
    return json
  }

  /// The values of an answer of OAuth, which is a form (RFC 5849 section 2.1).
  static func readForm(status: Int, body: [UInt8]) throws(FlickrFault) -> [String: String] {
    switch status {
    case 200..<300: break
    case 400, 401, 403: throw oauthProblem(body)
    case 429, 500...599: throw .later(seconds: nil, Reason(.flickrBusy))
    default: throw .unreachable(Reason(.serverAnswered, ["status": .number(status)]))
    }
    let form = form(body)
    // Flickr has answered 200 with a problem, too.
    if form["oauth_problem"] != nil { throw oauthProblem(body) }
    return form
  }

  /// Flickr says what is wrong with a signature or a token as a form, not as JSON.
  private static func oauthProblem(_ body: [UInt8]) -> FlickrFault {
    let problem = form(body)["oauth_problem"] ?? "401"
    let code = problem.hasPrefix("signature") ? 96 : problem.hasPrefix("consumer_key") ? 100 : 98
    return FlickrFault(code: code, words: short(problem))
  }

  private static func form(_ body: [UInt8]) -> [String: String] {
    var values: [String: String] = [:]
    for pair in String(decoding: body, as: UTF8.self).split(separator: "&") {
      let name = pair.prefix { $0 != "=" }
      let value = pair.dropFirst(name.count + 1).prefix { !$0.isWhitespace }
      guard let name = percentDecoded(name, plusIsSpace: true), let value = percentDecoded(value, plusIsSpace: true)
      else { continue }
      values[name] = value
    }
    return values
  }

  /// The JSON within `jsonFlickrApi(…)`, which surrounds it unless `nojsoncallback` is understood.
  private static func unwrapped(_ body: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var text = body.drop { $0 <= 32 || [0xef, 0xbb, 0xbf].contains($0) }
    while let last = text.last, last <= 32 || last == UInt8(ascii: ";") { text.removeLast() }
    let name = Array("jsonFlickrApi(".utf8)
    guard text.starts(with: name), text.last == UInt8(ascii: ")") else { return text }
    return text.dropFirst(name.count).dropLast()
  }

  /// Words of Flickr's in one line that is not too long.
  static func short(_ words: String) -> String {
    String(words.prefix(FlickrLimits.words).map { $0.isNewline ? " " : $0 })
  }
}

extension JSON {
  /// A text: itself, that of an object's `_content`, or a number's.
  var words: String? {
    switch self {
    case .string(let text): text
    case .int(let number): "\(number)"
    case .object: self["_content"]?.words
    default: nil
    }
  }

  /// A whole number, as a number or as a text.
  var whole: Int? {
    switch self {
    case .int(let number): number
    case .double(let number): Int(exactly: number.rounded())
    case .bool(let isTrue): isTrue ? 1 : 0
    default: words.flatMap { Int($0) }
    }
  }

  /// A number, as a number or as a text.
  var decimal: Double? { number ?? words.flatMap { Double($0) } }

  /// The objects of a list; none for a list that is left out, and one where a list of one is written as its element.
  func list(_ name: String) -> [JSON] {
    switch self[name] {
    case .array(let values): values
    case .some(let value) where value.members != nil: [value]
    default: []
    }
  }
}
