/// The limits of this module. Packs may come from strangers, and a small file can unpack to hours of sound.
public enum SoundLimits {
  /// Bytes of a file with sound: a minute of two channels of 32 bits at 96 kHz.
  public static let fileBytes = 48 << 20
  /// Seconds of a part. The chimes of a whole hour last half a minute.
  public static let seconds = 60
  /// Samples a second. A part may be joined of files of any two, and libsamplerate resamples by up to 256 times.
  package static let rates = 2_000...384_000
  static let channels = 1...8
  /// The greatest sample of a file of floats, whose scale some programs take from integers of 32 bits. The squares of a
  /// minute of them are still finite.
  static let sample: Float = 4_294_967_296
  /// Files that one part is joined from.
  static let filesOfPart = 16
  static let manifestBytes = 64 << 10
  /// Bytes of a file's name in a manifest.
  static let nameBytes = 255
  /// Characters of a voice's name.
  static let voiceName = 80
  /// The longest gap between two parts, in seconds.
  public static let gap = 5.0
  /// Files of a packed voice: each part has a few at most.
  public static let packedFiles = 400
  /// Bytes of all files of a packed voice, which are held in memory while it speaks.
  public static let packedBytes = 128 << 20
  /// Bytes of all parts of a voice that was recorded on the hub's page, which agents fetch and keep: six seconds for
  /// each of 62 words.
  public static let recordedBytes = 32 << 20
  /// Below this loudness, in dB of the greatest possible, a recording is too quiet: its noise becomes as loud as words.
  public static let quiet = -42.0
  /// Samples in a row at the greatest value that is possible: the microphone was too loud.
  public static let clippedRun = 3
}
