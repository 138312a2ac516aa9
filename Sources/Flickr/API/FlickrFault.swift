public import Galleries
public import Wire

/// The reason why a call of Flickr's API has no result.
public enum FlickrFault: Error, Equatable, Sendable {
  /// Flickr is busy, or the key's calls are used up.
  case later(seconds: Double?, Reason)
  /// Flickr does not take the key, the signature or the token, whatever the call is.
  case denied(Reason)
  /// Flickr has refused this call; the code's meaning depends on the method.
  case refused(code: Int, words: String)
  /// Flickr cannot be reached, or somebody else answers.
  case unreachable(Reason)
  /// This file cannot be had; with `again`, a further attempt may succeed.
  case broken(Reason, again: Bool)
  case cancelled

  public var sourceFault: SourceFault {
    switch self {
    case .later(let seconds, let reason): .later(seconds: seconds, reason)
    case .denied(let reason): .denied(reason)
    case .refused(let code, let words): .broken(Self.refusal(code, words))
    case .unreachable(let reason): .unreachable(reason)
    case .broken(let reason, _): .broken(reason)
    case .cancelled: .cancelled
    }
  }

  static func refusal(_ code: Int, _ words: String) -> Reason {
    Reason(.flickrRefused, ["code": .number(code), "words": .text(words)])
  }

  /// The fault that a code stands for. 95 to 100 and 105 mean the same for every method
  /// (flickr.com/services/api/flickr.photosets.getPhotos.html, "Error Codes").
  init(code: Int, words: String) {
    switch code {
    case 98, 99: self = .denied(Reason(.flickrDenied, ["code": .number(code), "words": .text(words)]))
    case 95...100: self = .denied(Reason(.flickrKey, ["code": .number(code), "words": .text(words)]))
    case 105, 106: self = .later(seconds: nil, Reason(.flickrBusy))
    default: self = .refused(code: code, words: words)
    }
  }
}

extension Reason.Kind {
  static let flickrBusy = Self("flickr-busy", "Flickr is busy and wants to be asked again later")
  static let flickrDenied = Self(
    "flickr-denied",
    "Flickr does not let the hub in any more ({words}, code {code}): choose Options, Allow it anew at Flickr")
  static let flickrKey = Self(
    "flickr-key",
    "Flickr does not take the hub's key ({words}, code {code}): its owner checks flickr_key and flickr_secret_file")
  static let flickrRefused = Self("flickr-refused", "Flickr refuses: {words} (code {code})")
  static let flickrOdd = Self("flickr-odd", "what answers is not Flickr, or cannot be understood")
  static let flickrNoUser = Self("flickr-no-user", "Flickr has nobody named {name}")
  static let flickrHidden = Self(
    "flickr-hidden", "Flickr does not show this gallery to the hub; what is kept of it stays")
  static let flickrCut = Self("flickr-cut", "Flickr breaks off the list of its pictures")
  static let flickrEmpty = Self("flickr-empty", "Flickr counts pictures in it ({count}), but lists none")
  static let flickrNoFile = Self("flickr-no-file", "Flickr names no file of it")
  static let flickrNoStream = Self("flickr-no-stream", "Flickr has no stream of this video that the hub may fetch")
  static let flickrHalf = Self("flickr-half", "its file breaks off at Flickr's side")
}
