import Testing
import Wire

@testable import Backend

/// Names and types of files, and a file that comes inside JSON.
struct FilePartsTests {
  @Test func `a file's name keeps what the client called it`() throws {
    let name = try FileName(given: "cat 1.png")
    #expect(name.text.hasSuffix("_cat 1.png") && name.text.utf8.count == 33 + 9)
    #expect(FileName(name.text) == name)
    #expect(try FileName(given: "cat 1.png") != name)
  }

  @Test(arguments: [
    ("", FileName.Fault.empty), (String(repeating: "a", count: 129), .tooLong), ("../a", .characters),
    ("a/b", .characters), (" a", .characters), (".a", .characters), ("a\n", .characters), ("ä", .characters),
    ("a.html", .page), ("a.HTM", .page), ("a.png.xhtml", .page),
  ])
  func `a name that is none, or a page's, is refused`(given: String, fault: FileName.Fault) {
    #expect(throws: fault) { try FileName(given: given) }
  }

  @Test(arguments: ["", "a.png", "0123456789abcdef0123456789abcdef", "0123456789ABCDEF0123456789abcdef_a"])
  func `a name that the hub has not made is not looked for`(text: String) { #expect(FileName(text) == nil) }

  @Test func `the type is the ending's, or else what the client says`() {
    #expect(FileType.type(of: "a.PNG", named: "text/plain") == "image/png")
    #expect(FileType.type(of: "a.b.jpg", named: nil) == "image/jpeg")
    #expect(FileType.type(of: "noextension", named: "unknown/unknown") == "unknown/unknown")
    #expect(FileType.type(of: "a", named: "Text/Plain; charset=utf-8") == "text/plain")
    #expect(FileType.type(of: "a.js", named: nil).map(FileType.served) == "text/plain")
    #expect(FileType.served("application/x-javascript") == "text/plain" && FileType.served("image/png") == "image/png")
    #expect(FileType.type(of: "a", named: "a b") == "application/octet-stream")
    #expect(FileType.type(of: "a", named: "x/y\r\nz: 1") == "application/octet-stream")
    #expect(FileType.type(of: "a", named: "text/html; charset=utf-8") == nil)
  }

  private static let json =
    #"{"_ApplicationId":"ab","fileData":{"base64":"no","tags":["base64"]},"base64":"aGkgdGhlcmU=","x\"y":1}"#

  @Test(arguments: [1, 2, 5, 1_000]) func `a file is taken out of JSON while it arrives`(step: Int) throws {
    var embedded = EmbeddedFile()
    let bytes = Array(Self.json.utf8)
    var file: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: step) {
      file += try embedded.feed(Array(bytes[start..<min(start + step, bytes.count)]))
    }
    #expect(file == Array("hi there".utf8))
    let rest = try embedded.finish()
    #expect(rest["_ApplicationId"]?.string == "ab" && rest["base64"]?.string == "")
    #expect(rest["fileData"]?["base64"]?.string == "no" && rest["x\"y"]?.int == 1)
  }

  @Test(arguments: [
    (#"{"base64":"a!"}"#, EmbeddedFile.Fault.base64), (#"{"base64":"aGk"#, .json), (#"{"base64":"a"}"#, .base64),
    (#"{"a":1}"#, .base64), (#"["base64","aGk="]"#, .json), (#"{"base64":1}"#, .base64),
    (#"{"base64":"aGk=","a":}"#, .json), (#"{"base64":"aGk="} x"#, .json),
  ])
  func `what holds no file, or is no JSON, is refused`(text: String, fault: EmbeddedFile.Fault) {
    #expect(throws: fault) {
      var embedded = EmbeddedFile()
      _ = try embedded.feed(Array(text.utf8))
      _ = try embedded.finish()
    }
  }

  @Test func `what comes beside the file is bounded`() throws {
    var embedded = EmbeddedFile()
    #expect(throws: EmbeddedFile.Fault.tooLong) {
      for _ in 0..<20 { _ = try embedded.feed([UInt8](repeating: UInt8(ascii: "["), count: 4_096)) }
    }
  }
}
