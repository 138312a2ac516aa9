public import Sound

/// The end of a sound that was to be played. Times are seconds since 1970.
public enum PlaybackEnd: Equatable, Sendable {
  /// All of it was heard, from this time on.
  case played(from: Double)
  /// It was ended by `stop`; nil if nothing of it was heard.
  case stopped(from: Double?)
  /// Its time passed, or moved away, before it could begin.
  case missed
  case failed(PlaybackError)
}

public enum PlaybackEvent: Equatable, Sendable {
  /// Its first sample goes to the device now, and is heard within a second.
  case begins
  /// Nothing follows.
  case ended(PlaybackEnd)
}

/// Plays one sound at a time. Confined to its loop.
public protocol Loudspeaker: AnyObject {
  /// Plays a sound. The one before must have ended.
  /// - Parameters:
  ///   - instant: seconds since 1970 at which its first sample is to be heard; nil for as soon as possible.
  ///   - volume: 0 to 100.
  ///   - heard: called on the loop, never by `play` itself.
  func play(_ clip: Clip, at instant: Double?, volume: Int, _ heard: @escaping (PlaybackEvent) -> Void)
  /// Ends the sound soon; its end is still told.
  func stop()
}
