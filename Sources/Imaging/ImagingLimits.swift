/// The limits of this module, and of the program that decodes.
public enum ImagingLimits {
  // MARK: Pictures

  /// Bytes of a sender's own preview, and of ours made from it.
  public static let previewBytes = 40 << 10
  /// The long edge of a preview, in pixels; a page shows it at some 300 px until the sizes are made.
  public static let previewEdge = 480
  /// The quality of the sizes: libjpeg's scale to 100. 80 is where differences begin to be seen on a screen.
  public static let quality = 80
  /// Long edges that may be asked for, in pixels, and how many of them.
  public static let edges = 16...4096
  public static let sizes = 4
  /// Pixels of a picture. The largest camera of a phone has 200 million; a panorama fewer.
  public static let pixels = 210_000_000
  /// Pixels of a side: what JPEG can say.
  public static let side = 65_500
  /// Bytes of a picture's file; raw files of the largest cameras have 200 MB. Videos have no limit here.
  public static let fileBytes = 400 << 20
  /// Bytes of a picture that comes in the frame itself.
  public static let inlineBytes = 4 << 20

  /// Bytes of XMP that are read: programs that keep each step of an edit write some 100 KB.
  public static let xmpBytes = 512 << 10
  /// Characters (Unicode's scalars) of a title and of a caption: as many as of a picture from elsewhere.
  public static let titleCharacters = 300
  public static let captionCharacters = 4_000

  // MARK: Frames

  /// Bytes of a frame: three JPEGs of 4,096 px of the noisiest picture are smaller.
  public static let frameBytes = 16 << 20
  /// Bytes of a word in a frame: a name, a reason.
  public static let wordBytes = 512

  // MARK: Processes

  /// Address space of a decoder. A HEIC of 12 million pixels needs 450 MB (libde265's threads and frames), a
  /// progressive JPEG of 400 million pixels more than there is, which ends that one.
  public static let decoderBytes = 768 << 20
  /// Bytes that ffmpeg may use: a 4K HEVC needs 900 MB with x264 at 720p.
  public static let videoBytes = 2 << 30
  /// Seconds for one picture. A HEIC of 48 million pixels needs 4 s on a laptop, and 25 s on a Raspberry Pi.
  public static let pictureSeconds = 60.0
  /// Seconds until a decoder must be ready: it opens forty libraries.
  public static let startSeconds = 20.0
  /// Seconds to look into a video and to take a picture of it.
  public static let lookSeconds = 40.0
  /// Seconds to convert a video.
  public static let videoSeconds = 1800.0
  /// Length of a video that is converted, in seconds: longer ones are kept as they are.
  public static let videoLength = 3600.0
  /// Bytes of a converted video: an hour at 4 Mbit/s.
  public static let videoFileBytes = 2 << 30
  /// Seconds of a sound that are kept, seconds to write them anew, and their bytes: 128 kbit/s, and as much again.
  public static let soundLength = 60.0
  public static let soundSeconds = 60.0
  public static let soundFileBytes = 2 << 20
  /// Bytes of ffprobe's report that are read.
  public static let reportBytes = 64 << 10

  // MARK: Waiting

  /// Previews that wait, of 40 KB each: they come from a thousand guests at once.
  public static let previewJobs = 1024
  /// Previews in a row while pictures wait: together they take about as long as one of 12 million pixels.
  public static let previewsInRow = 8
  /// Other jobs that wait.
  public static let urgentJobs = 64
  public static let ordinaryJobs = 64
  /// Videos that wait to be looked at or converted; one is worked on at a time.
  public static let videoJobs = 16
  /// Seconds until the next start of a decoder that died: doubled each time up to the last.
  public static let restartSeconds = 0.2...30.0
  /// Seconds until the program is looked for again when it is missing: somebody may be building it.
  public static let lookAgainSeconds = 5.0
}
