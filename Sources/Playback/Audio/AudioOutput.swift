/// The place where sounds go.
public enum AudioOutput: Equatable, Sendable {
  /// A device of ALSA, such as "default" (also PipeWire's and PulseAudio's) or "plughw:1".
  case device(String)
  /// A WAV file to which each sound is added, without the time between them; for tests.
  case file(String)
  case off

  public static let usual = AudioOutput.device("default")
  /// The card itself, where `usual` leads to a sound server, which may be another user's.
  public static let card = AudioOutput.device("sysdefault")

  /// Reads "off", "file:PATH", or the name of a device; nil for an empty name.
  public init?(_ text: String) {
    if text == "off" {
      self = .off
    } else if text.hasPrefix("file:") {
      guard text.utf8.count > 5 else { return nil }
      self = .file(String(text.dropFirst(5)))
    } else {
      guard !text.isEmpty, text.utf8.allSatisfy({ $0 >= 32 && $0 < 127 }) else { return nil }
      self = .device(text)
    }
  }
}

/// A failure of a device or file; `message` is a sentence for people.
public struct PlaybackError: Error, Equatable, Sendable {
  public var message: String
  public init(_ message: String) { self.message = message }
}
