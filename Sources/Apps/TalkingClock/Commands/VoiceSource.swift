// Which of the two has `stat` depends on the files that are compiled together.
import CArchive
import Glibc
import Sound
import SpeakingClock
import Terminal

/// The voice that a command line names: one that the program brings along, a folder, or a zip file.
enum VoiceSource {
  static func voice(_ text: String) throws(CommandError) -> (voice: any Voice, language: ClockSettings.Language?) {
    if let own = BuiltInVoice(rawValue: text) { return (own.voice, own.language) }
    guard access(text, F_OK) == 0 else {
      let accepted = "english, german, bells, and a folder or a zip file with voice.json are accepted"
      throw CommandError("\(text): There is no such voice; \(accepted).")
    }
    let pack = try pack(text)
    return (pack, pack.manifest.language)
  }

  /// A folder or a zip file.
  static func pack(_ path: String) throws(CommandError) -> VoicePack {
    do throws(VoiceError) {
      return isFolder(path) ? try VoicePack(folder: path) : try VoicePack(files: VoiceArchive.files(path))
    } catch {
      throw CommandError("\(path): \(error.message)")
    }
  }

  private static func isFolder(_ path: String) -> Bool {
    var about = stat()
    return stat(path, &about) == 0 && about.st_mode & S_IFMT == S_IFDIR
  }
}
