public import Wire

/// The JSON that a service worker gets, version 1.
public enum PushPayload {
  /// A payload that fits into one message.
  public struct Fitted: Equatable, Sendable {
    public var bytes: [UInt8]
    /// True when the body was shortened: the payload then has `"cut": true`.
    public var isCut: Bool
  }

  /// A notification to be shown. What is too large is cut at the body's end.
  /// - Returns: nil if even without a body it is too large.
  public static func show(
    id: Int, version: Int, receipt: String, content: JSON, collapseID: String?
  ) -> Fitted? {
    var members = head(id: id, version: version, receipt: receipt)
    if let collapseID { members.append(.init("collapse_id", .string(collapseID))) }
    let whole = JSON.object(members + [.init("content", content)]).bytes
    if whole.count <= WebPushLimits.plaintextBytes { return Fitted(bytes: whole, isCut: false) }
    guard case .object(var parts) = content, let place = parts.firstIndex(where: { $0.name == "body" }),
      let body = parts[place].value.string
    else { return nil }
    members.append(.init("cut", true))
    func bytes(_ body: String) -> [UInt8] {
      parts[place].value = .string(body)
      return JSON.object(members + [.init("content", .object(parts))]).bytes
    }
    guard let shortened = shorten(body, to: WebPushLimits.plaintextBytes - bytes("").count) else { return nil }
    return Fitted(bytes: bytes(shortened), isCut: true)
  }

  /// The order to take a notification back.
  public static func withdraw(id: Int, version: Int, receipt: String) -> [UInt8] {
    JSON.object(head(id: id, version: version, receipt: receipt) + [.init("withdraw", true)]).bytes
  }

  private static func head(id: Int, version: Int, receipt: String) -> [JSON.Member] {
    [
      .init("v", 1), .init("id", .string("\(id)")), .init("version", .int(version)),
      .init("receipt", .string(receipt)),
    ]
  }

  /// The longest beginning that takes so many bytes in JSON, an ellipsis included; nil if not even that has room.
  private static func shorten(_ text: String, to bytes: Int) -> String? {
    let ellipsis = "…"
    var left = bytes - ellipsis.utf8.count
    guard left >= 0 else { return nil }
    var end = text.startIndex
    for index in text.indices {
      left -= JSON.string(String(text[index])).bytes.count - 2
      if left < 0 { break }
      end = text.index(after: index)
    }
    return text[..<end] + ellipsis
  }
}
