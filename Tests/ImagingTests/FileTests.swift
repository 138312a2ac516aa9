import Imaging
import Testing

struct FileTests {
  private func kind(_ bytes: [UInt8], _ name: String? = nil) -> FileKind {
    bytes.withUnsafeBytes { FileKind(FileBytes($0), name: name) }
  }

  @Test func `a file is what its bytes say`() {
    #expect(kind([0xff, 0xd8, 0xff, 0xe1], "x.html") == .jpeg)
    #expect(kind([0x89] + Array("PNG\r\n\u{1a}\n".utf8)) == .png)
    #expect(kind(Array("GIF89a<html><script>".utf8), "x.html") == .gif)
    #expect(kind(Array("RIFF....WEBPVP8 ".utf8)) == .webp)
    #expect(kind(box("ftyp", Array("heic....mif1".utf8))) == .heic)
    #expect(kind(box("ftyp", Array("qt  ....qt  ".utf8))) == .mp4)
    #expect(kind(box("ftyp", Array("crx ....isom".utf8))) == .raw)
    for first in ["wide", "skip", "pnot"] { #expect(kind(box(first, []) + box("mdat", [1])) == .mp4) }
    #expect(kind([0x1a, 0x45, 0xdf, 0xa3, 1]) == .matroska)
    #expect(kind(Array("RIFF....AVI LIST".utf8)) == .avi)
    for (start, size) in [(0, 188), (4, 192)] {
      let packet = [UInt8](repeating: 1, count: start) + [0x47] + [UInt8](repeating: 2, count: 187)
      #expect(packet.count == size && kind(packet + packet + packet) == .transport)
      #expect(kind(packet + packet) == .other)
    }
    #expect(kind(Array("II*\0\u{8}\0\0\0CR\u{2}\0".utf8)) == .raw)
    #expect(kind(Array("II*\0\u{8}\0\0\0".utf8), "DSC_1.NEF") == .raw)
    #expect(kind(Array("II*\0\u{8}\0\0\0".utf8), "GOPR0001.GPR") == .raw)
    #expect(kind(Array("II*\0\u{8}\0\0\0".utf8), "scan.tif") == .tiff)
    #expect(kind(Array("<html>".utf8), "x.jpg") == .other)
    #expect(kind([]) == .other)
  }

  // MARK: HEIC

  private func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
    let size = content.count + 8
    return [UInt8(size >> 24), UInt8(size >> 16 & 255), UInt8(size >> 8 & 255), UInt8(size & 255)] + Array(type.utf8)
      + content
  }

  /// As an iPhone writes it: the gain map, 60, belongs to two pictures.
  private func phone(version: UInt8 = 0, targets: Int = 2) -> [UInt8] {
    let id: [UInt8] = version == 0 ? [] : [0, 0]
    let ids = (0..<targets).flatMap { (number: Int) -> [UInt8] in id + [0, UInt8(1 + 60 * number)] }
    let small: [UInt8] = id + [0, 49, 0, 1] + id + [0, 1]
    let map: [UInt8] = id + [0, 60, 0, UInt8(targets)] + ids
    let references = box("thmb", small) + box("auxl", map)
    let meta = box("hdlr", [UInt8](repeating: 0, count: 24)) + box("iref", [version, 0, 0, 0] + references)
    return box("ftyp", Array("heic\0\0\0\0mif1heic".utf8)) + box("meta", [0, 0, 0, 0] + meta) + box("mdat", [9, 9])
  }

  private func patched(_ bytes: [UInt8]) -> [UInt8] {
    var copy = bytes
    copy.withUnsafeMutableBytes { all in HEICPatch.apply(HEICPatch.places(in: FileBytes(.init(all))), to: all) }
    return copy
  }

  @Test(arguments: [0, 1] as [UInt8])
  func `a gain map of two pictures becomes free, and nothing moves`(version: UInt8) throws {
    let before = phone(version: version)
    let after = patched(before)
    #expect(after.count == before.count)
    let changed = zip(before, after).enumerated().filter { $0.element.0 != $0.element.1 }.map(\.offset)
    let start = try #require(changed.first)
    #expect(Array(before[start..<start + 4]) == Array("auxl".utf8))
    #expect(Array(after[start..<start + 4]) == Array("free".utf8))
    #expect(changed.allSatisfy { (start..<start + 4).contains($0) })
    // Once is enough.
    #expect(patched(after) == after)
  }

  @Test func `a gain map of one picture stays`() {
    let before = phone(targets: 1)
    #expect(patched(before) == before)
  }

  @Test func `files that are cut or lie about their sizes are left alone or patched, never read beyond`() {
    let whole = phone()
    for count in 0..<whole.count { _ = patched(Array(whole.prefix(count))) }
    for place in whole.indices {
      for value in [0, 1, 0x7f, 0xff] as [UInt8] {
        var changed = whole
        changed[place] = value
        #expect(patched(changed).count == whole.count)
      }
    }
  }

  // MARK: What a camera wrote

  private func notes(_ bytes: [UInt8]) -> CameraNotes { bytes.withUnsafeBytes { CameraNotes(exif: $0) } }

  private func little(_ value: Int, _ count: Int) -> [UInt8] { (0..<count).map { UInt8(value >> (8 * $0) & 255) } }
  private func big(_ value: Int, _ count: Int) -> [UInt8] { little(value, count).reversed() }

  /// A TIFF with a directory of details: the time, and Apple's notes (which are big-endian whatever the file is).
  private func exif(
    _ number: (Int, Int) -> [UInt8], order: String, tag: Int = 0x9003, taken: String = "2026:11:21 18:04:00",
    pair: String = "ACE5F2B1-1111-4222-8333-123456789ABC"
  ) -> [UInt8] {
    let apple =
      Array("Apple iOS\0\0\u{1}MM".utf8) + big(1, 2) + big(0x11, 2) + big(2, 2) + big(pair.utf8.count + 1, 4)
      + big(14 + 2 + 12 + 4, 4) + big(0, 4) + Array(pair.utf8) + [0]
    let details = 8 + 2 + 12 + 4
    let values = details + 2 + 24 + 4
    func entry(_ tag: Int, _ type: Int, _ count: Int, _ value: Int) -> [UInt8] {
      number(tag, 2) + number(type, 2) + number(count, 4) + number(value, 4)
    }
    let head = Array(order.utf8) + number(42, 2) + number(8, 4)
    let first = number(1, 2) + entry(0x8769, 4, 1, details) + number(0, 4)
    let second =
      number(2, 2) + entry(tag, 2, 20, values) + entry(0x927c, 7, apple.count, values + 20) + number(0, 4)
    return Array("Exif\0\0".utf8) + head + first + second + Array(taken.utf8) + [0] + apple
  }

  @Test func `the time and Apple's identifier are read in both orders of bytes`() {
    for bytes in [exif(little, order: "II"), exif(big, order: "MM")] {
      let found = notes(bytes)
      #expect(found.taken == "2026-11-21T18:04:00")
      #expect(found.pair == "ACE5F2B1-1111-4222-8333-123456789ABC")
      #expect(notes(Array(bytes.dropFirst(6))) == found, "without the word Exif")
    }
    #expect(notes(exif(little, order: "II", tag: 0x9004)).taken == "2026-11-21T18:04:00", "a scanner's")
  }

  @Test func `times that no clock shows, and identifiers that are none, are left out`() {
    for time in [
      "0000:00:00 00:00:00", "2026:13:21 18:04:00", "2026:11:21 24:04:00", "    :  :     :  :  ",
      "2026:02:31 10:00:00", "1970:01:01 00:00:07",
    ] {
      #expect(notes(exif(little, order: "II", taken: time)).taken == nil, "\(time)")
    }
    #expect(notes(exif(little, order: "II", taken: "1965:06:12 10:00:00")).taken == "1965-06-12T10:00:00", "scanned")
    #expect(notes(exif(little, order: "II", pair: "../../../../../../../etc/passwd-----")).pair == nil)
  }

  @Test func `notes that are cut or changed are read without a fall`() {
    let whole = exif(little, order: "II")
    for count in 0..<whole.count { _ = notes(Array(whole.prefix(count))) }
    for place in whole.indices {
      for value in [0, 0x7f, 0x80, 0xff] as [UInt8] {
        var changed = whole
        changed[place] = value
        _ = notes(changed)
      }
    }
  }

  // MARK: What somebody wrote

  private func words(xmp: String = "", iptc: [UInt8] = []) -> PictureWords {
    Array(xmp.utf8).withUnsafeBytes { xmp in iptc.withUnsafeBytes { PictureWords(xmp: xmp, iptc: $0) } }
  }

  private func packet(title: String) -> String {
    """
    <?xpacket begin="\u{feff}" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF
     xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about=""
     xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title><rdf:Alt>\(title)</rdf:Alt></dc:title>
     <dc:subject><rdf:Bag><rdf:li>sea</rdf:li></rdf:Bag></dc:subject></rdf:Description></rdf:RDF></x:xmpmeta>
    """
  }

  private func dataset(_ number: UInt8, _ text: [UInt8], record: UInt8 = 2) -> [UInt8] {
    [0x1c, record, number] + big(text.count, 2) + text
  }

  @Test func `a title is that of the default language, else the first, else IPTC's`() {
    let english = "<rdf:li xml:lang='x-default'>Fog &amp; dew</rdf:li>"
    #expect(words(xmp: packet(title: "<rdf:li xml:lang='de'>Nebel</rdf:li>" + english)).title == "Fog & dew")
    #expect(words(xmp: packet(title: "<rdf:li xml:lang='de'> Nebel </rdf:li>")).title == "Nebel")
    #expect(words(xmp: packet(title: english)).caption == "")
    let iptc = dataset(5, Array("Old".utf8)) + dataset(120, [0x4d, 0xfc, 0x6c, 0x6c])
    #expect(words(xmp: packet(title: english), iptc: iptc) == PictureWords(title: "Fog & dew", caption: "Müll"))
    for none in [" ", "\u{200b}\u{200b}"] {
      #expect(words(xmp: packet(title: "<rdf:li>\(none)</rdf:li>"), iptc: iptc).title == "Old")
    }
    for own in ["OLYMPUS DIGITAL CAMERA         ", "SONY DSC", "DCIM\\100MEDIA\\DJI_0001.JPG"] {
      #expect(words(xmp: packet(title: "<rdf:li>\(own)</rdf:li>")).title == "", "a camera's own words")
    }
    let block = Array("Photoshop 3.0\08BIM".utf8) + big(0x0425, 2) + [0, 0] + big(3, 4) + [1, 2, 3, 0]
    let wrapped = block + Array("8BIM".utf8) + big(0x0404, 2) + [3, 97, 98, 99] + big(iptc.count, 4) + iptc
    #expect(words(iptc: wrapped) == words(iptc: iptc))
  }

  @Test func `words that are cut or changed are read without a fall`() {
    let utf8 = dataset(90, [0x1b, 0x25, 0x47], record: 1) + dataset(5, Array("Nebel".utf8)) + dataset(120, [0xfc])
    let xmp = packet(title: "<rdf:li>a</rdf:li>")
    for count in 0..<xmp.utf8.count { _ = words(xmp: String(decoding: xmp.utf8.prefix(count), as: UTF8.self)) }
    for place in utf8.indices {
      _ = words(iptc: Array(utf8.prefix(place)))
      for value in [0, 0x7f, 0x80, 0xff] as [UInt8] {
        var changed = utf8
        changed[place] = value
        _ = words(iptc: changed)
      }
    }
    #expect(
      PictureWords(title: "a\r\n b\u{1}\n", caption: " a\r\n\n b \n") == PictureWords(title: "a b", caption: "a\n\n b"))
    let odd = PictureWords(title: "a\u{202e}b \u{1f469}\u{200d}\u{1f680}", caption: "a\tb\n \n\n\nc\u{2066}")
    #expect(odd.title == "ab \u{1f469}\u{200d}\u{1f680}" && odd.caption == "a b\n \nc")
  }

  // MARK: Profiles

  @Test func `a profile is plain if it calls itself sRGB, as text or UTF-16`() {
    func profile(_ words: [UInt8]) -> [UInt8] {
      var bytes = [UInt8](repeating: 0, count: 128)
      bytes.replaceSubrange(16..<20, with: Array("RGB ".utf8))
      bytes.replaceSubrange(36..<40, with: Array("acsp".utf8))
      return bytes + big(1, 4) + Array("desc".utf8) + big(144, 4) + big(words.count, 4) + words
    }
    func isPlain(_ bytes: [UInt8]) -> Bool { bytes.withUnsafeBytes { ColourProfile.isPlain($0) } }
    #expect(isPlain(profile(Array("desc\0\0\0\0sRGB IEC61966-2.1".utf8))))
    #expect(isPlain(profile(Array("mluc\0\0\0\0".utf8) + "sRGB".utf8.flatMap { [0, $0] })))
    for other in ["Display P3", "GIMP built-in Linear sRGB", "sRGB-elle-V2-g10.icc"] {
      #expect(!isPlain(profile(Array("desc\0\0\0\0\(other)".utf8))), "\(other)")
    }
    #expect(!isPlain([]))
  }
}
