import Notifications
public import Wire

/// The JSON that a service worker gets, version 1.
public enum PushPayload {
  /// A payload that fits into one message.
  public struct Fitted: Equatable, Sendable {
    public var bytes: [UInt8]
    /// True when a body was shortened: the content then has `"cut": true`.
    public var isCut: Bool
  }

  /// A notification to be shown. If it is too large, its bodies are cut at the end.
  /// - Parameters:
  ///   - sequence: its place among those with its collapse id; nil if that is its id.
  ///   - unread: how many the person has not seen, for the app's icon; nil for a browser of nobody.
  ///   - sentAt: seconds since 1970: a push service keeps it for hours while a browser is away.
  ///   - bytes: the most.
  /// - Returns: nil if even without a body it is too large.
  public static func show(
    id: Int, version: Int, receipt: String, content: JSON, collapseID: String?, sequence: Int? = nil,
    unread: Int? = nil, ringsAgain: Bool = false, sentAt: Double? = nil, bytes: Int = WebPushLimits.plaintextBytes
  ) -> Fitted? {
    var members = head(id: id, version: version, receipt: receipt, unread: unread)
    if ringsAgain { members.append(.init("again", true)) }
    if let sentAt { members.append(.init("at", .int(Int(sentAt)))) }
    members += collapsing(collapseID, sequence)
    let head = JSON.object(members).bytes.dropLast() + Array(",\"content\":".utf8)
    let end = UInt8(ascii: "}")
    let whole = content.bytes
    let most = bytes - head.count - 1
    if whole.count <= most { return Fitted(bytes: head + whole + [end], isCut: false) }
    guard let fitted = Content.fit(whole, bytes: most) else { return nil }
    return Fitted(bytes: head + fitted + [end], isCut: true)
  }

  /// The order to take a notification back.
  /// - Parameters:
  ///   - collapseID: if the browser may show an older one, in whose place it was to come; that goes, too.
  ///   - sequence: as in `show`.
  public static func withdraw(
    id: Int, version: Int, receipt: String, collapseID: String? = nil, sequence: Int? = nil,
    unread: Int? = nil
  ) -> [UInt8] {
    let members = head(id: id, version: version, receipt: receipt, unread: unread) + [.init("withdraw", true)]
    return JSON.object(members + collapsing(collapseID, sequence)).bytes
  }

  private static func collapsing(_ id: String?, _ sequence: Int?) -> [JSON.Member] {
    guard let id else { return [] }
    return [.init("collapse_id", .string(id))] + (sequence.map { [.init("sequence", .int($0))] } ?? [])
  }

  private static func head(id: Int, version: Int, receipt: String, unread: Int?) -> [JSON.Member] {
    let members: [JSON.Member] = [
      .init("v", 1), .init("id", .string("\(id)")), .init("version", .int(version)),
      .init("receipt", .string(receipt)),
    ]
    return unread.map { members + [.init("unread", .int($0))] } ?? members
  }
}
