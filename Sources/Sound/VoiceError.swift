public import SpeakingClock

/// Something of a voice that cannot be used: the part, the file, what was seen, and what is accepted.
public struct VoiceError: Error, Equatable, Sendable {
  public enum Code: String, Sendable {
    /// The manifest is missing, or not as it should be.
    case manifest
    /// A part that is needed, and that the voice does not have.
    case missing
    /// A file that is not there, or that may not be read.
    case unreadable
    /// A file without a byte, or without a sound.
    case empty
    /// A file that ends before its header says.
    case truncated
    /// A file that holds no sound of an accepted kind.
    case notSound = "not-sound"
    /// A file whose sound cannot be decoded to its end.
    case damaged
    case tooLarge = "too-large"
    /// A recording in which nothing is said.
    case silent
    /// A packed voice that cannot be unpacked.
    case archive
  }

  public var code: Code
  public var part: Part?
  public var file: String?
  /// A clause, such as "it is empty".
  public var seen: String
  /// A clause, such as "WAV, CAF, FLAC, Ogg and MP3 are accepted"; nil if nothing has to be said.
  public var accepted: String?

  public init(_ code: Code, part: Part? = nil, file: String? = nil, seen: String, accepted: String? = nil) {
    (self.code, self.part, self.file, self.seen, self.accepted) = (code, part, file, seen, accepted)
  }

  /// One sentence, such as "Part 12, 12.wav: it is empty; a recording of the word is needed."
  public var message: String {
    let place = [part.map { "part \($0.name)" }, file].compactMap { $0 }.joined(separator: ", ")
    let sentence = "\(place.isEmpty ? "" : "\(place): ")\(seen)\(accepted.map { "; \($0)" } ?? "")."
    // A file's name is left as it is.
    return part == nil && file != nil ? sentence : sentence.prefix(1).uppercased() + sentence.dropFirst()
  }

  /// The same, of this part.
  func of(_ part: Part?, in file: String? = nil) -> VoiceError {
    var error = self
    error.part = part ?? error.part
    error.file = error.file ?? file
    return error
  }
}
