import Wire

/// The kinds of a push (`apns-push-type`).
public enum PushType: String, CaseIterable, Sendable {
  case alert
  case background
  case location
  case voip
  case complication
  case fileprovider
  case mdm
  case liveactivity
  case pushtotalk
  case controls
  case widgets

  /// The end of the topic behind the app's bundle id; nil for the bundle id alone.
  public var suffix: String? {
    switch self {
    case .alert, .background, .mdm: nil
    case .location: ".location-query"
    case .voip: ".voip"
    case .complication: ".complication"
    case .fileprovider: ".pushkit.fileprovider"
    case .liveactivity: ".push-type.liveactivity"
    case .pushtotalk: ".voip-ptt"
    case .controls: ".push-type.controls"
    case .widgets: ".push-type.widgets"
    }
  }

  /// True if there may be something to show; the others are for the app alone.
  var isShown: Bool { self == .alert || self == .liveactivity }

  /// The most bytes of a payload.
  var payloadBytes: Int { self == .voip ? APNsLimits.voipPayloadBytes : APNsLimits.payloadBytes }

  /// The kind whose topics end like this one; nil if it is a plain bundle id.
  static func named(byTopic topic: String) -> PushType? {
    allCases.first { type in type.suffix.map { topic.hasSuffix($0) && topic.utf8.count > $0.utf8.count } ?? false }
  }
}

/// A topic taken apart.
public struct PushTopic: Equatable, Sendable {
  /// As it was sent.
  public var name: String
  /// The app's bundle id.
  public var bundle: String
  public var type: PushType

  /// - Parameter type: nil if the sender named none; then the topic's end tells it.
  /// - Throws: `BadTopic` for characters that no bundle id has, or an end that does not fit the type.
  public init(_ name: String, type: PushType?) throws(Rejection) {
    guard Self.isName(name, atMost: APNsLimits.topicBytes) else { throw Rejection(.badTopic) }
    let type = type ?? PushType.named(byTopic: name) ?? .alert
    self.name = name
    self.type = type
    guard let suffix = type.suffix else {
      bundle = name
      return
    }
    guard name.hasSuffix(suffix), name.utf8.count > suffix.utf8.count else { throw Rejection(.badTopic) }
    bundle = String(name.dropLast(suffix.count))
  }

  /// True for letters, digits, dots, hyphens and underscores, of which bundle ids are made.
  public static func isName(_ text: String, atMost bytes: Int = APNsLimits.bundleBytes) -> Bool {
    (1...bytes).contains(text.utf8.count) && text.isAlphanumeric(or: ".-_")
  }
}
