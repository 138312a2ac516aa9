import Notifications
package import Wire

/// The answer of an extension: one JSON object, `{"content": {…}}`, and nothing else.
package enum ExtensionAnswer {
  /// The changed content. Its attachments may name files (`file`), which are not looked at here.
  package static func content(_ output: [UInt8]) throws(ExtensionFault) -> JSON {
    let isSpace = { (byte: UInt8) in byte == 32 || 9...13 ~= byte }
    if output.allSatisfy(isSpace) { throw .empty }
    guard let answer = try? JSON(parsing: output) else { throw objects(in: output) > 1 ? .twice : .garbage }
    guard let content = answer["content"], let members = content.members else { throw .garbage }
    if members.isEmpty || content["silent"]?.bool == true || !shows(content) { throw .empty }
    if content.bytes.count > NotificationLimits.contentBytes { throw .tooLarge }
    guard case .success = Content.check(withAddresses(content).bytes) else { throw .garbage }
    return content
  }

  /// An extension may not make a notification disappear.
  private static func shows(_ content: JSON) -> Bool {
    ["title", "subtitle", "body", "badge", "sound", "vibration", "attachments"].contains { name in
      switch content[name] {
      case nil, .null, .string(""), .array([]): false
      default: true
      }
    }
  }

  /// The content as the rules know it: a file stands where they expect an address, and no address beside it.
  private static func withAddresses(_ content: JSON) -> JSON {
    content.replacing("attachments") { attachments in
      guard let all = attachments.array else { return attachments }
      return .array(all.map { one in one["file"] == nil ? one : one.with(["url": "/file"]) })
    }
  }

  /// The number of objects that follow one another.
  private static func objects(in text: [UInt8]) -> Int {
    var (count, depth, isQuoted, isEscaped) = (0, 0, false, false)
    for byte in text {
      if isEscaped {
        isEscaped = false
      } else if isQuoted {
        if byte == UInt8(ascii: "\\") { isEscaped = true }
        if byte == UInt8(ascii: "\"") { isQuoted = false }
      } else if byte == UInt8(ascii: "\"") {
        isQuoted = true
      } else if byte == UInt8(ascii: "{") {
        depth += 1
      } else if byte == UInt8(ascii: "}"), depth > 0 {
        depth -= 1
        if depth == 0 { count += 1 }
      }
    }
    return count
  }
}

extension JSON {
  /// This object with one of its members changed, if it has that.
  func replacing(_ name: String, _ change: (JSON) -> JSON) -> JSON {
    guard let members else { return self }
    return .object(members.map { $0.name == name ? .init(name, change($0.value)) : $0 })
  }
}
