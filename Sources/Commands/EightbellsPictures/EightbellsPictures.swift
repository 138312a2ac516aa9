import CSandbox
import CVips
import Glibc
import Imaging

/// The program `eightbells-pictures`: decodes what strangers send, so that the hub need not. It opens nothing, reaches
/// nothing, and is started anew when it dies.
@main
struct Main {
  static let usage = """
    eightbells-pictures makes pictures smaller for the hub, which starts it. Not for typing:
      decode        takes jobs on standard input, a socket
      look          reports on the video that is standard input
      picture SECONDS [hdr]   writes a picture of it
      convert [hdr]           writes it as MP4 into standard output, a file
      sound         writes the sound that is standard input into standard output, a file
      try           says what its sandbox refuses
      try video     says what that of ffmpeg refuses beyond

    """

  static func main() {
    let words = CommandLine.arguments.dropFirst()
    do throws(Sandbox.Failure) {
      switch (words.first, words.count) {
      case ("decode", 1): exit(JobLoop(socket: 0).run(try readyToDecode()))
      case ("look", 1): try VideoTools.look()
      case ("picture", 2): try VideoTools.picture(at: words.last!, isHDR: false)
      case ("picture", 3) where words.last == "hdr":
        try VideoTools.picture(at: words[words.startIndex + 1], isHDR: true)
      case ("convert", 1): try VideoTools.convert(isHDR: false)
      case ("convert", 2) where words.last == "hdr": try VideoTools.convert(isHDR: true)
      case ("sound", 1): try VideoTools.sound()
      case ("try", 1):
        say(try readyToDecode().sandbox + "\n")
        exit(Sandbox.tryAll(say) ? 0 : 1)
      case ("try", 2) where words.last == "video":
        try Sandbox.closeConverter("/bin/true", longest: 0, seconds: ImagingLimits.lookSeconds)
        exit(Sandbox.tryOthers(say) ? 0 : 1)
      default:
        complain(usage)
        exit(2)
      }
    } catch {
      complain("eightbells-pictures: \(error.words)\n")
      exit(1)
    }
  }

  static func readyToDecode() throws(Sandbox.Failure) -> ReadyMessage {
    let missing = ["ffprobe", "ffmpeg"].filter { VideoTools.path($0) == nil }
    guard cvips_start("eightbells-pictures") == 0 else { throw Sandbox.Failure(words: "libvips does not start") }
    csandbox_step_back(5)
    let sandbox = try Sandbox.closeDecoder()
    var problem = missing.isEmpty ? nil : "ffmpeg is missing; apt-get install ffmpeg"
    // The decoder does without, since seccomp refuses it every open; ffmpeg has to open its libraries.
    if !sandbox.hasLandlock {
      problem = "there is no Landlock in this kernel or container, without which ffmpeg could open the hub's files"
    }
    return ReadyMessage(
      sandbox: "libvips \(String(cString: cvips_version())), \(sandbox.level)", videoProblem: problem)
  }

  static func say(_ text: String) { put(text, 1) }
  static func complain(_ text: String) { put(text, 2) }
  private static func put(_ text: String, _ descriptor: Int32) {
    var text = text
    text.withUTF8 { _ = write(descriptor, $0.baseAddress, $0.count) }
  }
}
