import Hub
package import Wire

/// The contents of another space's document, of versions 0.13 to 15, with its deviations from SpaceAPI. All texts are
/// other people's: they are shortened and have no control characters, and addresses must be ones that a browser may
/// open.
package struct OtherSpace: Equatable, Sendable {
  package var name: String
  package var website: String?
  package var logo: String?
  /// Nil if the space does not tell.
  package var open: Bool?
  /// Its last word on that, while it says nothing of it.
  package var toldBefore: Bool?
  /// In seconds since 1970.
  package var lastChange: Int?
  package var message: String?
  /// The newest version that it names: "0.13", "14", "15".
  package var version: String?
  /// The tolerated deviations, as text for an owner.
  package var notes: [String] = []

  /// - Throws: a reason that everyone may read.
  package init(_ body: [UInt8]) throws(Reason) {
    guard let document = try? ForeignJSON(body), document.value.members != nil else { throw Reason(.noJSONObject) }
    let json = document.value
    guard let name = Self.text(json["space"], SpaceLimits.name), !name.isEmpty else { throw Reason(.noSpaceAPI) }
    self.name = name
    website = Self.address(json["url"])
    logo = Self.address(json["logo"])
    version = Self.version(json)
    for deviation in document.deviations { note(Self.words(of: deviation)) }
    let state = json["state"]
    if state?.members != nil {
      read(state!)
    } else if let open = json["open"] {
      note("it says \"open\" outside of \"state\", as before version 0.13")
      self.open = truth(open)
      message = Self.text(json["status"], SpaceLimits.message)
      lastChange = instant(json["lastchange"])
    } else if state == nil {
      note("it does not say whether it is open")
    } else {
      note("\"state\" is \(state!.kind)")
    }
  }

  private static func words(of deviation: ForeignJSON.Deviation) -> String {
    switch deviation {
    case .byteOrderMark: "it begins with a byte order mark"
    case .notUTF8: "it is not UTF-8 throughout"
    case .trailingComma: "it has a comma behind a last value"
    case .repeatedName: "it has a name twice, of which the last counts"
    }
  }

  private mutating func read(_ state: JSON) {
    if let open = state["open"] { self.open = truth(open) }
    message = Self.text(state["message"], SpaceLimits.message)
    lastChange = instant(state["lastchange"])
  }

  /// A boolean, also in the other spellings of many documents.
  private mutating func truth(_ value: JSON) -> Bool? {
    if let open = value.bool { return open }
    if value == .null { return nil }
    let words: [String: Bool] = ["true": true, "open": true, "1": true, "false": false, "closed": false, "0": false]
    let found = value.string.flatMap { words[$0.lowercased()] } ?? value.int.flatMap { words["\($0)"] }
    note(found == nil ? "\"open\" is \(value.kind) that says nothing" : "\"open\" is \(value.kind), not true or false")
    return found
  }

  private mutating func instant(_ value: JSON?) -> Int? {
    guard let value, value != .null else { return nil }
    if let text = value.string { note("\"lastchange\" is a string"); return Int(text).flatMap(Self.plausible) }
    return value.number.flatMap { Self.plausible($0.isFinite && abs($0) < 1e15 ? Int($0) : -1) }
  }

  /// A time from 2000 on: before, there was no SpaceAPI.
  private static func plausible(_ instant: Int) -> Int? {
    (946_684_800..<SpaceLimits.until.upperBound).contains(instant) ? instant : nil
  }

  private mutating func note(_ text: String) { notes.append(text) }

  private static func version(_ json: JSON) -> String? {
    let named = json["api_compatibility"]?.array?.compactMap(\.string).compactMap { Int($0) }.max()
    return named.map { "\(min(max($0, 0), 999))" } ?? text(json["api"], 10)
  }

  private static func text(_ value: JSON?, _ longest: Int) -> String? {
    guard let text = value?.string else { return nil }
    let shown = text.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : Character($0) }
    let words = String(shown).split(separator: " ").joined(separator: " ")
    // A character can have any number of combining marks, so scalars are cut first.
    let cut = String(String.UnicodeScalarView(words.unicodeScalars.prefix(longest * 4))).prefix(longest)
    return cut.isEmpty ? nil : String(cut)
  }

  private static func address(_ value: JSON?) -> String? {
    guard let text = value?.string, FieldCheck.fits(text, SpaceLimits.url),
      WebAddress.isValid(text, schemes: ["http", "https"])
    else { return nil }
    return text
  }

  // MARK: Storage

  package var json: JSON {
    [
      "name": .string(name), "website": JSON(website), "logo": JSON(logo), "open": JSON(open),
      "told_before": JSON(toldBefore), "lastchange": JSON(lastChange), "message": JSON(message),
      "version": JSON(version),
      "notes": .array(notes.map { .string($0) }),
    ]
  }

  /// Parses the output of `json`.
  init?(kept json: JSON) {
    guard let name = json["name"]?.string else { return nil }
    self.name = name
    website = json["website"]?.string
    logo = json["logo"]?.string
    open = json["open"]?.bool
    toldBefore = json["told_before"]?.bool
    lastChange = json["lastchange"]?.int
    message = json["message"]?.string
    version = json["version"]?.string
    notes = json["notes"]?.array?.compactMap(\.string) ?? []
  }
}

/// The reasons why a document is unusable.
extension Reason.Kind {
  static let noJSONObject = Self("no-json-object", "it is no JSON object")
  static let noSpaceAPI = Self("no-spaceapi", "it is no SpaceAPI document: \"space\" is missing")
}
