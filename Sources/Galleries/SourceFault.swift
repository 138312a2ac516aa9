public import Wire

/// The reason why a source did not give what was asked for.
public enum SourceFault: Error, Equatable, Sendable {
  /// The source is busy, or its limit of requests is reached: the sync goes on after so many seconds, or when it seems
  /// good to the hub.
  case later(seconds: Double?, Reason)
  /// The source does not let the hub in any more: the sync stops, and nothing is deleted.
  case denied(Reason)
  /// This picture is not there any more.
  case gone
  /// This picture or gallery cannot be had; the others can.
  case broken(Reason)
  /// The source cannot be reached, or does not answer as one: the sync stops, and is tried again.
  case unreachable(Reason)
  /// The hub's disk is nearly full: the sync stops, and is tried again.
  case noRoom
  /// The task was cancelled.
  case cancelled

  /// In words; nil where there is nothing to say about the source.
  public var reason: Reason? {
    switch self {
    case .later(_, let reason), .denied(let reason), .broken(let reason), .unreachable(let reason): reason
    case .gone: Reason(.pictureGone)
    case .noRoom: Reason(.diskNearlyFull)
    case .cancelled: nil
    }
  }
}

extension Reason.Kind {
  static let pictureGone = Self("picture-gone", "it is not there any more")
  static let diskNearlyFull = Self("disk-nearly-full", "the hub's disk is nearly full")
}
