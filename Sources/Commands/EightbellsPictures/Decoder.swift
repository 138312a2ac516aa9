import CVips
import Glibc
import Imaging

/// Makes pictures smaller, one after the other.
struct Decoder {
  private typealias Picture = OpaquePointer

  /// The smallest size is followed by one of this long edge, of which the ThumbHash is made.
  private static let hashEdge = ThumbHash.side

  /// - Parameter bytes: a copy of the file that may be changed.
  func make(_ bytes: UnsafeMutableRawBufferPointer, _ job: JobMessage) throws(PictureError) -> MadePicture {
    let file = FileBytes(UnsafeRawBufferPointer(bytes))
    let kind = FileKind(file, name: job.name)
    // Nothing of an earlier picture's warnings.
    _ = broken()
    var made = MadePicture()
    switch kind {
    case .raw, .other: made.kind = kind == .raw ? .raw : .other
    case .mp4, .matroska, .avi, .transport: made.kind = .video
    case .jpeg, .png, .gif, .webp, .heic, .tiff: made.kind = .photo
    }
    if job.wish == .preview, kind != .jpeg { throw .notAPicture("a preview is a JPEG") }
    // Most raw files are TIFF files.
    if kind == .raw { made.taken = CameraNotes(exif: UnsafeRawBufferPointer(bytes)).taken }
    guard made.kind == .photo else { return made }
    if kind == .heic { HEICPatch.apply(HEICPatch.places(in: file), to: bytes) }
    let converts = try look(UnsafeRawBufferPointer(bytes), kind, &made)
    try makeSizes(UnsafeRawBufferPointer(bytes), kind, job.wish, converts, &made)
    return made
  }

  /// Reads the head, and refuses what would need too much, before anything is decoded.
  /// - Returns: true if the colours have to be converted.
  private func look(
    _ bytes: UnsafeRawBufferPointer, _ kind: FileKind, _ made: inout MadePicture
  ) throws(PictureError) -> Bool {
    var opened: Picture?
    guard cvips_open(bytes.baseAddress, bytes.count, &opened) == 0, let picture = opened else { throw broken() }
    defer { cvips_release(picture) }
    let expected = ["jpeg": "jpegload", "png": "pngload", "gif": "gifload", "webp": "webpload", "heic": "heifload"]
    let loader = String(cString: cvips_loader(picture))
    guard loader.hasPrefix(expected[kind.rawValue] ?? "tiffload") else { throw .notAPicture("read by \(loader)") }
    let (width, height) = (Int(cvips_width(picture)), Int(cvips_height(picture)))
    guard width <= ImagingLimits.side, height <= ImagingLimits.side, width * height <= ImagingLimits.pixels else {
      throw .tooLarge("\(width) × \(height) pixels; accepted are \(ImagingLimits.pixels / 1_000_000) million")
    }
    (made.width, made.height) = cvips_orientation(picture) >= 5 ? (height, width) : (width, height)
    if let exif = field("exif-data", of: picture) ?? (kind == .tiff ? bytes : nil) {
      let notes = CameraNotes(exif: exif)
      (made.taken, made.pair) = (notes.taken, notes.pair)
    }
    // The last two are HEIC's, by their place among its metadata: libvips 8.14 takes no packet for XMP that begins as
    // exiftool's do.
    let xmp = ["xmp-data", "heif-mime-0", "heif-mime-1"].lazy.compactMap { field($0, of: picture) }.first
    made.words = PictureWords(xmp: xmp, iptc: field("iptc-data", of: picture))
    return field("icc-profile-data", of: picture).map { !ColourProfile.isPlain($0) } ?? false
  }

  /// A field that libvips has found beside the pixels; it is there as long as the picture.
  private func field(_ name: String, of picture: Picture) -> UnsafeRawBufferPointer? {
    var count = 0
    return cvips_field(picture, name, &count).map { UnsafeRawBufferPointer(start: $0, count: count) }
  }

  private func makeSizes(
    _ bytes: UnsafeRawBufferPointer, _ kind: FileKind, _ wish: PictureJob.Wish, _ converts: Bool,
    _ made: inout MadePicture
  ) throws(PictureError) {
    let edges = if case .sizes(let edges) = wish { edges.sorted(by: >) } else { [ImagingLimits.previewEdge] }
    var last = try load(bytes, kind, edges[0], converts, max(made.width, made.height))
    defer { cvips_release(last) }
    for (index, edge) in edges.enumerated() {
      if index > 0 { try shrink(&last, to: edge) }
      var jpeg = try encode(last, ImagingLimits.quality)
      // Much detail makes a preview too large, and noise alone one that has to be smaller too.
      for (quality, smaller) in [(60, edge), (40, edge), (40, edge / 2), (20, edge / 4)]
      where wish == .preview && jpeg.count > ImagingLimits.previewBytes {
        try shrink(&last, to: smaller)
        jpeg = try encode(last, quality)
      }
      made.sizes[edge] = jpeg
    }
    try shrink(&last, to: Self.hashEdge)
    made.placeholder = try hash(last)
  }

  /// JPEGs are decoded at the smallest fraction that is not smaller than the result; libvips itself keeps to twice as
  /// much, which takes up to twice as long and is not to be seen.
  private func load(
    _ bytes: UnsafeRawBufferPointer, _ kind: FileKind, _ edge: Int, _ converts: Bool, _ long: Int
  ) throws(PictureError) -> Picture {
    var made: Picture?
    guard kind == .jpeg else {
      guard cvips_thumbnail(bytes.baseAddress, bytes.count, Int32(edge), converts ? 1 : 0, &made) == 0, let made else {
        throw broken()
      }
      return made
    }
    let shrink = [8, 4, 2].first { long / $0 >= edge } ?? 1
    var opened: Picture?
    guard cvips_jpeg_shrunk(bytes.baseAddress, bytes.count, Int32(shrink), &opened) == 0, let opened else {
      throw broken()
    }
    defer { cvips_release(opened) }
    guard cvips_smaller(opened, Int32(edge), converts ? 1 : 0, &made) == 0, let made else { throw broken() }
    return made
  }

  private func shrink(_ picture: inout Picture, to edge: Int) throws(PictureError) {
    var made: Picture?
    guard cvips_smaller(picture, Int32(edge), 0, &made) == 0, let made else { throw broken() }
    cvips_release(picture)
    picture = made
  }

  private func encode(_ picture: Picture, _ quality: Int) throws(PictureError) -> [UInt8] {
    var bytes: UnsafeMutableRawPointer?
    var count = 0
    guard cvips_jpeg(picture, Int32(quality), &bytes, &count) == 0, let bytes else { throw broken() }
    defer { cvips_free(bytes) }
    return Array(UnsafeRawBufferPointer(start: bytes, count: count))
  }

  private func hash(_ picture: Picture) throws(PictureError) -> [UInt8] {
    var bytes: UnsafeMutableRawPointer?
    var count = 0
    guard cvips_pixels(picture, &bytes, &count) == 0, let bytes else { throw broken() }
    defer { cvips_free(bytes) }
    return ThumbHash.hash(
      Array(UnsafeRawBufferPointer(start: bytes, count: count)), width: Int(cvips_width(picture)),
      height: Int(cvips_height(picture)))
  }

  /// libvips's reason, of one line.
  private func broken() -> PictureError {
    var words = [CChar](repeating: 0, count: ImagingLimits.wordBytes)
    cvips_error(&words, words.count)
    let text = String(decoding: words.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let reason = text.split(separator: "\n").last.map(String.init) ?? "no reason given"
    // From Debian 13 on, libheif's decoder of HEIC is a package of its own: the picture is tried anew.
    if text.contains("heif"), cvips_decodes_heic() == 0 {
      return .helperFailed("\(reason); apt install libheif-plugin-libde265")
    }
    // libjpeg reads no side of more than 65,500 pixels, though a JPEG can say 65,535. The rest is "Insufficient
    // memory", "out of memory" or "Memory allocation error".
    return ["image dimension", "emory"].contains { text.contains($0) } ? .tooLarge(reason) : .notAPicture(reason)
  }
}
