/// The checks of a content, member by member.
extension Faults {
  mutating func check(content: JSONValue, at path: [UInt8] = []) {
    guard isObject(content, at: Array(path.dropLast())) else { return }
    let before = all.count
    func field(_ name: StaticString) -> Field { Field(path, name) }
    _ = integer(content, field("v"), 1...1)
    for name: StaticString in ["title", "subtitle"] {
      _ = text(content, field(name), 0...NotificationLimits.titleBytes)
    }
    _ = text(content, field("body"), 0...NotificationLimits.bodyBytes)
    _ = integer(content, field("badge"), 0...NotificationLimits.badge)
    _ = text(content, field("sound"), 1...NotificationLimits.addressBytes)
    checkVibration(content, field("vibration"))
    for name: StaticString in ["category", "thread", "tag"] {
      _ = text(content, field(name), 1...NotificationLimits.identifierBytes)
    }
    _ = object(content, field("user_info"))
    checkAttachments(content, field("attachments"))
    _ = word(content, field("interruption_level"), InterruptionLevel.self)
    _ = words(content, field("foreground"), ForegroundOption.self)
    checkActions(content, field("actions"))
    if let value = content["relevance"], !((value.double.map { $0 >= 0 && $0 <= 1 }) ?? false) {
      refuse(field("relevance"), value, .words("a number from 0 to 1 is accepted"))
    }
    address(content, field("url"))
    _ = bool(content, field("cut"))
    _ = text(content, field("speech"), 1...NotificationLimits.speechBytes)
    checkParts(content, field("parts"))
    checkSealed(content, field("sealed"))
    checkSilence(content, field("silent"))
    if all.count == before { checkLanguages(content, field("localized")) }
    if all.count == before {
      let text = content.text
      if text.count > NotificationLimits.contentBytes {
        refuse(
          path.isEmpty ? [] : Array(path.dropLast()), seen: digits(Int64(text.count)) + utf8(" bytes"),
          .bytes(NotificationLimits.contentBytes))
      }
    }
  }

  /// A content shows or sounds something, or says that it is silent: a misspelt "title" would otherwise be passed on,
  /// and nobody would ever see why nothing was shown.
  private mutating func checkSilence(_ content: JSONValue, _ field: Field) {
    let isSilent = bool(content, field) ?? false
    let shown: [StaticString] = [
      "title", "subtitle", "body", "badge", "sound", "vibration", "attachments", "actions",
    ]
    for name in shown {
      // An empty text or list shows nothing.
      switch content[name] {
      case nil, .string([]), .array([]): continue
      default: break
      }
      if isSilent {
        refuse(Field(field.path, name), content[name], .words("nothing to show is accepted beside silent: true"))
      } else if !isEqual(utf8(name), "actions") {
        return
      }
    }
    if !isSilent {
      refuse(
        field, content["silent"],
        .words("true is accepted, or a title, subtitle, body, badge, sound, vibration or attachment"))
    }
  }

  /// The private part, of which the hub sees no more than the key's id.
  private mutating func checkSealed(_ content: JSONValue, _ field: Field) {
    guard let sealed = object(content, field) else { return }
    let digits = NotificationLimits.keyDigits
    let key = required(sealed, Field(field.within, "key"), digits...digits)
    if !key.isEmpty, !key.allSatisfy({ ($0 >= 0x30 && $0 <= 0x39) || ($0 >= 0x61 && $0 <= 0x66) }) {
      refuse(Field(field.within, "key"), sealed["key"], .words("16 hexadecimal digits are accepted"))
    }
    let box = required(sealed, Field(field.within, "box"), 1...NotificationLimits.boxBytes)
    if !box.allSatisfy({ isBase64URL($0) }) {
      refuse(Field(field.within, "box"), sealed["box"], .words("base64url without padding is accepted"))
    }
  }

  private func isBase64URL(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x5F: true
    default: false
    }
  }

  /// Each language's words, in the place of the content's own, have to be accepted as these are.
  private mutating func checkLanguages(_ content: JSONValue, _ field: Field) {
    for language in object(content, field)?.members ?? [] {
      let path = field.within + language.name + utf8(".")
      guard isObject(language.value, at: Array(path.dropLast())) else { continue }
      let without = JSONValue.object([JSONMember("localized", .null)])
      check(content: content.replacing(members: language.value).replacing(members: without), at: path)
    }
  }

  /// The names of parts that a talking clock joins, in their order.
  private mutating func checkParts(_ content: JSONValue, _ field: Field) {
    let names = list(content, field, of: "names of parts", 0...NotificationLimits.spokenParts)
    for (index, name) in names.enumerated() {
      guard case .string(let bytes) = name, (1...NotificationLimits.partBytes).contains(bytes.count) else {
        refuse(field.entry(index), seen: name.text, .words("the name of a part, such as \"12\", is accepted"))
        return
      }
    }
  }

  private mutating func checkVibration(_ content: JSONValue, _ field: Field) {
    var sum = 0
    let times = list(content, field, of: "times in milliseconds", 0...NotificationLimits.vibrationTimes)
    for (index, time) in times.enumerated() {
      let range = 0...NotificationLimits.vibrationMilliseconds
      guard let number = time.integer, number >= 0, number <= Int64(range.upperBound) else {
        refuse(field.entry(index), seen: time.text, .integer(range))
        return
      }
      sum += Int(number)
    }
    if sum > NotificationLimits.patternMilliseconds {
      refuse(
        field.text, seen: digits(Int64(sum)) + utf8(" milliseconds"),
        .words("at most 30000 milliseconds together are accepted"))
    }
  }

  /// An address that a browser opens: http(s), or a path of the hub. Anything else, such as javascript:, is refused.
  @discardableResult
  mutating func address(_ object: JSONValue, _ field: Field) -> [UInt8]? {
    guard let text = text(object, field, 1...NotificationLimits.addressBytes) else { return nil }
    let isPath = text[0] == 0x2F && !hasPrefix(text, "//") && !hasPrefix(text, "/\\")
    let isWhole =
      (hasPrefix(text, "https://") && text.count > 8) || (hasPrefix(text, "http://") && text.count > 7)
    // Browsers leave out tabs and line ends, so "/\t/host" would lead to another host.
    guard isPath || isWhole, !text.contains(where: { $0 <= 0x20 || $0 == 0x7F }) else {
      refuse(field, object[field.name], .words("https://, http:// or a path of the hub without spaces is accepted"))
      return nil
    }
    return text
  }

  mutating func checkActions(_ object: JSONValue, _ field: Field) {
    let actions = list(object, field, of: "actions", 0...NotificationLimits.actions)
    var ids: [[UInt8]] = []
    for (index, action) in actions.enumerated() {
      guard isObject(action, at: field.entry(index)) else { continue }
      let path = field.within(index)
      let id = required(action, Field(path, "id"), 1...NotificationLimits.identifierBytes)
      if isEqual(id, "default") || isEqual(id, "dismiss") {
        refuse(
          Field(path, "id"), action["id"], .words("an id is accepted that is not one of the two every content has"))
      }
      if !id.isEmpty, ids.contains(id) {
        refuse(Field(path, "id"), action["id"], .words("an id that no other action has is accepted"))
      }
      ids.append(id)
      _ = required(action, Field(path, "title"), 1...NotificationLimits.actionTitleBytes)
      _ = words(action, Field(path, "options"), Action.Option.self)
      if let input = self.object(action, Field(path, "text_input")) {
        let within = Field(path, "text_input").within
        for name: StaticString in ["button", "placeholder"] {
          _ = text(input, Field(within, name), 0...NotificationLimits.actionTitleBytes)
        }
      }
    }
  }

  private mutating func checkAttachments(_ content: JSONValue, _ field: Field) {
    let attachments = list(content, field, of: "attachments", 0...NotificationLimits.attachments)
    var ids: [[UInt8]] = []
    for (index, attachment) in attachments.enumerated() {
      guard isObject(attachment, at: field.entry(index)) else { continue }
      let path = field.within(index)
      let id = required(attachment, Field(path, "id"), 1...NotificationLimits.identifierBytes)
      if !id.isEmpty, ids.contains(id) {
        refuse(Field(path, "id"), attachment["id"], .words("an id that no other attachment has is accepted"))
      }
      ids.append(id)
      if (attachment["url"] == nil) == (attachment["blob"] == nil) {
        refuse(Field(path, "url"), attachment["url"], .words("either url or blob is accepted"))
      }
      address(attachment, Field(path, "url"))
      _ = text(attachment, Field(path, "blob"), 1...NotificationLimits.addressBytes)
      _ = word(attachment, Field(path, "type"), MediaHint.self)
    }
  }
}
