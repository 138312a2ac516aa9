import CSandbox
import Glibc
import Imaging

/// ffprobe and ffmpeg, which this process becomes: standard input is the video.
struct VideoTools {
  /// Where programs of the distribution are; the environment is not asked.
  private static let folders = ["/usr/local/bin", "/usr/bin", "/bin"]

  static func path(_ name: String) -> String? {
    folders.map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
  }

  /// Containers that phones and cameras write; others bring lists of addresses along, such as HLS.
  private static let formats = "mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,avi,mpegts"
  private static let input = reading(formats)
  private static func reading(_ formats: String) -> [String] {
    ["-v", "error", "-protocol_whitelist", "file,pipe", "-format_whitelist", formats]
  }
  private static let source = ["-i", "/proc/self/fd/0"]

  /// Writes a report of the video as lines of name=value.
  static func look() throws(Sandbox.Failure) -> Never {
    let entries =
      "format=duration:format_tags:stream=codec_type,width,height,sample_aspect_ratio,color_transfer,color_primaries"
      + ",color_space:stream_tags=rotate:stream_side_data=rotation"
    try become(
      "ffprobe", input + ["-show_entries", entries, "-of", "flat"] + source, seconds: ImagingLimits.lookSeconds)
  }

  /// Writes a picture of the video as it is at this time.
  /// - Parameter isHDR: its light is more than a JPEG can say, and is brought into that.
  static func picture(at seconds: String, isHDR: Bool) throws(Sandbox.Failure) -> Never {
    guard let number = Double(seconds), (0...ImagingLimits.videoLength).contains(number) else {
      throw Sandbox.Failure(words: "a time of a video: \(seconds)")
    }
    // Camcorders' pixels are no squares. Even numbers, as HDR needs them.
    let wide = "iw*clip(sar,0.25,4)"
    let sides = [wide, "ih"].map { "'max(2,2*trunc(\($0)*min(1,1600/max(\(wide),ih))/2))'" }
    let scale = "scale=w=\(sides[0]):h=\(sides[1])"
    // A JPEG's colours are those of BT.601, which films of small sizes alone have.
    let colours = isHDR ? dimmed("m=170m:r=full") : ":out_color_matrix=bt601:out_range=pc"
    try become(
      "ffmpeg",
      ["-nostdin", "-threads", "2"] + input + ["-ss", "\(number)"] + source + [
        "-map", "0:v:0", "-frames:v", "1", "-map_metadata", "-1", "-vf", whole + scale + colours, "-c:v", "mjpeg",
        "-q:v", "3", "-pix_fmt", "yuvj420p", "-f", "image2pipe", "pipe:1",
      ], seconds: ImagingLimits.lookSeconds)
  }

  /// Camcorders' pictures may be two halves of two moments, one line of each (AVCHD, DV): they become whole ones.
  private static let whole = "yadif=deint=interlaced,"

  /// Filters that bring HDR's light into that of other films. 203 cd/m² is white (ITU-R BT.2408).
  /// - Parameter target: the matrix and the range of what comes out.
  private static func dimmed(_ target: String) -> String {
    ",zscale=t=linear:npl=203,format=gbrpf32le,zscale=p=bt709,tonemap=mobius:desat=0,zscale=t=bt709:\(target)"
  }

  /// Writes it as H.264 with the index first into standard output, which is a file. The shorter side has 720 pixels at
  /// most, which a phone plays from anywhere.
  /// - Parameter isHDR: as of a picture: 8 bits show its light pale, or in steps.
  static func convert(isHDR: Bool) throws(Sandbox.Failure) -> Never {
    let colours = isHDR ? dimmed("m=bt709:r=limited") : ""
    let scale = "scale=w='if(gt(iw,ih),-2,trunc(min(720,iw)/2)*2)':h='if(gt(iw,ih),trunc(min(720,ih)/2)*2,-2)'"
    try become(
      "ffmpeg",
      ["-nostdin", "-y", "-threads", "2"] + input + source + [
        "-map", "0:v:0", "-map", "0:a:0?", "-sn", "-dn", "-map_metadata", "-1", "-map_chapters", "-1",
        "-t", "\(ImagingLimits.videoLength)", "-vf", whole + scale + colours, "-c:v", "libx264", "-preset",
        "veryfast", "-crf", "23", "-maxrate", "4M", "-bufsize", "8M", "-pix_fmt", "yuv420p", "-threads", "2", "-c:a",
        "aac", "-b:a", "128k", "-ac", "2", "-fflags", "+bitexact", "-flags:v", "+bitexact", "-flags:a", "+bitexact",
        "-movflags", "+faststart", "-f", "mp4", "/proc/self/fd/1",
      ], longest: ImagingLimits.videoFileBytes, seconds: ImagingLimits.videoSeconds)
  }

  /// Writes a sound as AAC with the index first into standard output, which is a file.
  static func sound() throws(Sandbox.Failure) -> Never {
    try become(
      "ffmpeg",
      ["-nostdin", "-y", "-threads", "1"] + reading(formats + ",ogg,mp3,wav") + source + [
        "-map", "0:a:0", "-vn", "-sn", "-dn", "-map_metadata", "-1", "-map_chapters", "-1",
        "-t", "\(ImagingLimits.soundLength)", "-c:a", "aac", "-b:a", "128k", "-ac", "2", "-ar", "48000",
        "-fflags", "+bitexact", "-flags:a", "+bitexact", "-movflags", "+faststart", "-f", "ipod", "/proc/self/fd/1",
      ], longest: ImagingLimits.soundFileBytes, seconds: ImagingLimits.soundSeconds)
  }

  private static func become(
    _ name: String, _ words: [String], longest: Int = 0, seconds: Double
  ) throws(Sandbox.Failure) -> Never {
    guard let program = path(name) else { throw Sandbox.Failure(words: "\(name) is not installed") }
    try Sandbox.closeConverter(program, longest: longest, seconds: seconds)
    var arguments: [UnsafeMutablePointer<CChar>?] = ([name, "-hide_banner"] + words).map { strdup($0) } + [nil]
    var environment: [UnsafeMutablePointer<CChar>?] =
      ["LC_ALL=C", "MALLOC_ARENA_MAX=2"].map { (word: String) in strdup(word) } + [nil]
    execve(program, &arguments, &environment)
    throw Sandbox.Failure(words: "\(program) cannot be started: \(String(cString: strerror(errno)))")
  }
}
