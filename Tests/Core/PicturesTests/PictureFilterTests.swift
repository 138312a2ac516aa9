import Pictures
import Testing
import World

struct PictureFilterTests {
  /// The filter's output for a picture that comes in these pieces.
  private static func kept(_ pieces: [[UInt8]]) throws -> [UInt8] {
    var filter = PictureFilter()
    var kept: [UInt8] = []
    for piece in pieces { kept += try filter.feed(piece) }
    return kept + (try filter.finish().rest)
  }

  private static func kept(_ bytes: [UInt8]) throws -> [UInt8] { try kept([bytes]) }

  // MARK: Removed parts

  @Test(arguments: ExamplePicture.all)
  func `a picture keeps what is needed to show it, however it is cut`(example: ExamplePicture) throws {
    for pieces in everyCut(of: example.whole) { #expect(try Self.kept(pieces) == example.kept) }
    #expect(try Self.kept(example.kept) == example.kept, "once more")
  }

  @Test(arguments: ExamplePicture.all)
  func `what breaks off anywhere is refused`(example: ExamplePicture) {
    for count in 13..<example.kept.count {
      let piece = Array(example.kept[..<count])
      #expect(throws: PictureFilter.Fault.self, "\(count) bytes") { try Self.kept(piece) }
    }
  }

  @Test(arguments: ["<svg xmlns='x'>" + String(repeating: " ", count: 600) + "</svg>", "%PDF-1.7", ""])
  func `a drawing stays as it is, and so does what is no picture`(text: String) throws {
    for pieces in everyCut(of: Array(text.utf8)) { #expect(try Self.kept(pieces) == Array(text.utf8)) }
  }

  @Test func `a chunk larger than its file is refused`() {
    var whole = ExamplePicture.webp(flags: 0, ExamplePicture.chunk("ICCP", [1, 2]))
    whole[34] = 200
    #expect(throws: PictureFilter.Fault.self) { try Self.kept(whole) }
  }

  @Test func `the size of a PNG stands in its head`() throws {
    let head = Array(ExamplePicture.png([]).prefix(pngHeadBytes))
    let size = try #require(pngSize(head))
    #expect(size.width == 3)
    #expect(size.height == 2)
    #expect(pngSize(head.dropLast()) == nil)
  }
}
