import Testing

/// A picture of 3 × 2 pixels with a valid structure but arbitrary data, and the part of it to be kept.
struct ExamplePicture: Sendable, CustomTestStringConvertible {
  var testDescription: String
  var whole: [UInt8]
  var kept: [UInt8]

  static let all = jpegs + others

  static func join(_ parts: [UInt8]...) -> [UInt8] { parts.flatMap { $0 } }
  static func ascii(_ text: String) -> [UInt8] { Array(text.utf8) }
  /// A big-endian number.
  static func big(_ value: Int, _ count: Int) -> [UInt8] { little(value, count).reversed() }
  static func little(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  // MARK: JPEG

  static func segment(_ marker: UInt8, _ bytes: [UInt8]) -> [UInt8] {
    join([0xff, marker], big(bytes.count + 2, 2), bytes)
  }

  static func jpeg(_ segments: [UInt8], behind: [UInt8] = []) -> [UInt8] {
    join(
      [0xff, 0xd8], segments, segment(0xc0, [8, 0, 2, 0, 3, 1, 1, 0x11, 0]), segment(0xda, [1, 1, 0, 0, 63, 0]),
      [1, 2, 0xff, 0, 3, 0xff, 0xd0, 4, 0xff, 0xd9], behind)
  }

  private static let jfif = segment(0xe0, join(ascii("JFIF\0"), [1, 1, 0, 0, 1, 0, 1, 0, 0]))

  /// EXIF with a maker, an orientation, and a directory with a position.
  private static func exif(_ orientation: UInt8, isBig: Bool) -> [UInt8] {
    func number(_ value: Int, _ count: Int) -> [UInt8] { isBig ? big(value, count) : little(value, count) }
    func entry(_ tag: Int, _ type: Int, _ value: [UInt8]) -> [UInt8] {
      join(number(tag, 2), number(type, 2), number(1, 4), value)
    }
    return segment(
      0xe1,
      join(
        ascii("Exif\0\0"), ascii(isBig ? "MM\0*" : "II*\0"), number(8, 4), number(3, 2),
        entry(0x10f, 2, ascii("Me\0\0")),
        entry(0x112, 3, join(number(Int(orientation), 2), [0, 0])), entry(0x8825, 4, number(50, 4)), number(0, 4),
        ascii("53.1 north")))
  }

  /// EXIF with an orientation only.
  private static func turned(_ orientation: UInt8) -> [UInt8] {
    segment(
      0xe1,
      join(
        ascii("Exif\0\0MM\0*"), [0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0]))
  }

  private static let full: ExamplePicture = {
    let profile = segment(0xe2, join(ascii("ICC_PROFILE\0"), [1, 1]))
    let adobe = segment(0xee, join(ascii("Adobe"), [0, 100, 0, 0, 0, 0, 1]))
    let withCopy = segment(0xe0, join(ascii("JFIF\0"), [1, 1, 0, 0, 1, 0, 1, 1, 1, 9, 9, 9]))
    let words = join(
      segment(0xe1, ascii("http://ns.adobe.com/xap/1.0/\0<gps>")), segment(0xe2, ascii("MPF\0two pictures")),
      segment(0xed, ascii("Photoshop 3.0\0here")), segment(0xfe, ascii("at home")))
    let second = jpeg(exif(1, isBig: true))
    return ExamplePicture(
      testDescription: "JPEG with all there is",
      whole: jpeg(join(withCopy, exif(6, isBig: true), words, profile, adobe), behind: second),
      kept: jpeg(join(jfif, turned(6), profile, adobe)))
  }()

  private static let jpegs: [ExamplePicture] = [
    ExamplePicture(testDescription: "plain JPEG", whole: jpeg(jfif), kept: jpeg(jfif)),
    full,
    ExamplePicture(
      testDescription: "JPEG that stands upright", whole: jpeg(join(jfif, exif(1, isBig: false))), kept: jpeg(jfif)),
    ExamplePicture(
      testDescription: "JPEG of the other order", whole: jpeg(exif(8, isBig: false)), kept: jpeg(turned(8))),
    ExamplePicture(
      testDescription: "JPEG turned twice", whole: jpeg(join(exif(3, isBig: true), exif(5, isBig: true))),
      kept: jpeg(turned(3))),
    ExamplePicture(
      testDescription: "JPEG turned in no way there is", whole: jpeg(exif(9, isBig: true)), kept: jpeg([])),
    ExamplePicture(
      testDescription: "JPEG whose EXIF leads out of it",
      whole: jpeg(segment(0xe1, join(ascii("Exif\0\0MM\0*"), [255, 255, 255, 255]))), kept: jpeg([])),
    ExamplePicture(
      testDescription: "JPEG with short EXIF", whole: jpeg(segment(0xe1, ascii("Exif\0\0II"))), kept: jpeg([])),
    ExamplePicture(
      testDescription: "JPEG that fills up", whole: jpeg(join([0xff, 0xff], segment(0xdb, [1]))),
      kept: jpeg(join([0xff, 0xff], segment(0xdb, [1])))),
  ]

  // MARK: PNG, WebP, GIF

  private static func pngChunk(_ name: String, _ bytes: [UInt8]) -> [UInt8] {
    // Checksums are not verified here.
    join(big(bytes.count, 4), ascii(name), bytes, [1, 2, 3, 4])
  }

  static func png(_ chunks: [UInt8], behind: [UInt8] = []) -> [UInt8] {
    join(
      [0x89], ascii("PNG\r\n"), [0x1a, 0x0a], pngChunk("IHDR", [0, 0, 0, 3, 0, 0, 0, 2, 8, 0, 0, 0, 0]), chunks,
      pngChunk("IDAT", [7, 7, 7]), pngChunk("IEND", []), behind)
  }

  /// A chunk of RIFF.
  static func chunk(_ name: String, _ bytes: [UInt8]) -> [UInt8] {
    join(ascii(name), little(bytes.count, 4), bytes, bytes.count % 2 == 1 ? [0] : [])
  }

  static func webp(flags: UInt8, _ chunks: [UInt8], behind: [UInt8] = []) -> [UInt8] {
    join(chunk("RIFF", join(ascii("WEBP"), chunk("VP8X", [flags, 0, 0, 0, 2, 0, 0, 1, 0, 0]), chunks)), behind)
  }

  private static func gif(_ extensions: [UInt8], behind: [UInt8] = []) -> [UInt8] {
    join(
      ascii("GIF89a"), [3, 0, 2, 0, 0x80, 0, 0], [0, 0, 0, 255, 255, 255], extensions,
      [0x2c, 0, 0, 0, 0, 3, 0, 2, 0, 0, 2, 2, 0x84, 0x51, 0, 0x3b], behind)
  }

  private static let others: [ExamplePicture] = {
    let pixels = join(chunk("ICCP", [1, 2, 3]), chunk("VP8L", [4, 5]))
    let small = chunk("RIFF", join(ascii("WEBP"), chunk("VP8L", [0x2f, 2, 0x40, 0, 0, 9])))
    let loop = join([0x21, 0xff, 11], ascii("NETSCAPE2.0"), [3, 1, 0, 0, 0])
    let pause: [UInt8] = [0x21, 0xf9, 4, 0, 9, 0, 0, 0]
    let xmp = join([0x21, 0xff, 11], ascii("XMP DataXMP"), [1, 60, 0])
    let words = join(
      pngChunk("eXIf", ascii("MM\0*")), pngChunk("iTXt", ascii("XML:com.adobe.xmp")),
      pngChunk("tEXt", ascii("Comment\0here")), pngChunk("prVt", [1]))
    return [
      ExamplePicture(
        testDescription: "PNG",
        whole: png(join(pngChunk("pHYs", [1]), words, pngChunk("acTL", [2])), behind: ascii("trailer")),
        kept: png(join(pngChunk("pHYs", [1]), pngChunk("acTL", [2])))),
      ExamplePicture(
        testDescription: "WebP",
        whole: webp(
          flags: 0x3e, join(pixels, chunk("EXIF", ascii("here!")), chunk("XMP ", ascii("there"))),
          behind: ascii("trailer")),
        kept: webp(
          flags: 0x32, join(pixels, chunk("JUNK", [0, 0, 0, 0, 0]), chunk("JUNK", [0, 0, 0, 0, 0])))),
      ExamplePicture(testDescription: "small WebP", whole: small, kept: small),
      ExamplePicture(
        testDescription: "GIF",
        whole: gif(
          join([0x21, 0xfe, 2, 104, 105, 0], loop, xmp, [0x21, 0xff, 1, 5, 0], pause), behind: [1]),
        kept: gif(join(loop, pause))),
    ]
  }()
}
