import CivilTime
import Receiving
import Testing
import Uploads

@testable import Albums

struct SentFileTests {
  @Test(arguments: [
    ("GIF89a<html><script>", "image/gif"), ("<html>", "application/octet-stream"),
    ("\0\0\0\u{18}ftypheic", "image/heic"), ("\0\0\0\u{14}ftypqt  ", "video/quicktime"),
    ("\0\0\0\u{8}wide", "video/quicktime"), ("\0\0\0\u{18}ftypisom", "video/mp4"), ("RIFF1234WEBPVP8 ", "image/webp"),
    ("RIFF1234WAVEfmt ", "audio/wav"), ("RIFF1234AVI LIST", "video/x-msvideo"), ("II*\0", "image/tiff"),
    ("G@\0\u{10}", "video/mp2t"), ("1234G@\u{11}\u{10}", "video/mp2t"), ("", "application/octet-stream"),
  ]) func `a file is what its first bytes say`(beginning: String, type: String) {
    #expect(FileKind(Array(beginning.utf8)).type == type)
  }

  @Test func `what holds videos may hold a sound, and nothing else does`() {
    #expect(FileKind([0x1A, 0x45, 0xDF, 0xA3]).asSound.type == "audio/webm")
    #expect(FileKind(Array("OggS".utf8)).asSound.type == "audio/ogg")
    #expect(FileKind([0xFF, 0xD8, 0xFF]).asSound == .unknown)
  }

  private func original(
    taken: String? = nil, type: String? = nil, name: String? = nil, by: String? = "Ada"
  ) -> KeptOriginal {
    KeptOriginal(
      id: 1, address: "abcdefghijklmnop", at: 1_795_284_246, taken: taken, type: type, name: name, by: by, size: 1,
      crc32: 0)
  }

  @Test func `originals are named by time and person`() {
    func name(_ original: KeptOriginal) -> String { OriginalName.name(of: original, in: .utc) }
    #expect(
      name(original(taken: "2026-11-21T18:04:06", type: "image/jpeg", name: "IMG_1.JPG"))
        == "2026-11-21 18.04.06 Ada.jpg")
    #expect(name(original(taken: "nonsense", type: "video/mp4")) == "2026-11-21 18.04.06 Ada.mp4")
    #expect(name(original(type: "image/tiff", name: "a.DNG", by: nil)) == "2026-11-21 18.04.06.dng")
    #expect(name(original(by: "../../etc")) == "2026-11-21 18.04.06 etc.bin")
    #expect(
      OriginalName.name(of: original(type: "image/png"), in: .utc, mark: "abcdef")
        == "2026-11-21 18.04.06 Ada abcdef.png")
  }

  @Test func `no ending makes a page or a program of a file`() {
    for name in ["x.html", "x.htm", "x.svg", "x.exe", "x.js", "x", "x.", "x.toolongending", "x.ä"] {
      #expect(OriginalName.ending(type: nil, name: name) == ".bin", "\(name)")
    }
    #expect(OriginalName.ending(type: "image/gif", name: "x.html") == ".gif")
    #expect(OriginalName.ending(type: nil, name: "a.b.CR3") == ".cr3")
  }

  @Test func `wrong details are left out, a wrong digest is refused`() throws {
    let details = try SentDetails(
      UploadMetadata("filename YQ==,taken eA==,pair " + String(repeating: "YWFh", count: 50)))
    #expect(details.name == "a" && details.taken == nil && details.pair == nil)
    #expect(try SentDetails(UploadMetadata("taken MjAyNi0xMS0yMVQxODowNDowNg==")).taken == "2026-11-21T18:04:06")
    for text in ["sha256 YQ==", "sound_of YQ=="] {
      #expect(throws: UploadRefusal.self) { try SentDetails(UploadMetadata(text)) }
    }
  }
}
