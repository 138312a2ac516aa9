import Testing

@testable import Imaging

struct VideoReportTests {
  private func report(_ lines: String...) -> VideoReport {
    let sides = ["codec_type=\"video\"", "width=64", "height=48"].map { "streams.stream.0.\($0)" }
    return VideoReport((sides + lines).joined(separator: "\n"))
  }

  @Test(arguments: ["90", "-90", "270", "-270.0", "90.5"])
  func `a video that is turned is as wide as it is high`(degrees: String) {
    let turned = report("streams.stream.0.tags.rotate=\"\(degrees)\"")
    #expect(turned.hasPicture && turned.width == 48 && turned.height == 64)
    let side = report("streams.stream.0.side_data_list.side_data.0.rotation=\(degrees)")
    #expect(side.width == 48 && side.height == 64)
  }

  @Test(arguments: [("64:45", 91), ("8:9", 57), ("1:1", 64), ("0:1", 64), ("N/A", 64), ("1:0", 64), ("9999:1", 256)])
  func `a film is as wide as its pixels make it`(pixel: String, width: Int) {
    let shape = "streams.stream.0.sample_aspect_ratio=\"\(pixel)\""
    let flat = report(shape)
    #expect(flat.width == width && flat.height == 48)
    let turned = report(shape, "streams.stream.0.side_data_list.side_data.0.rotation=-90")
    #expect(turned.width == 48 && turned.height == width)
  }

  @Test func `a camera's local time and the container's moment are two things`() {
    let found = report(
      "format.tags.com_apple_quicktime_creationdate=\"2026-11-21T18:04:00+0100\"",
      "format.tags.creation_time=\"2026-11-21T17:04:00.000000Z\"")
    #expect(found.taken == "2026-11-21T18:04:00" && found.created == "2026-11-21T17:04:00.000000Z")
  }

  @Test(arguments: [("arib-std-b67", true), ("smpte2084", true), ("bt709", false)])
  func `a film of HDR is one by its light, and where its colours are told`(transfer: String, isHDR: Bool) {
    let light = "streams.stream.0.color_transfer=\"\(transfer)\""
    let colours = ["primaries=\"bt2020\"", "space=\"bt2020nc\""].map { "streams.stream.0.color_\($0)" }
    #expect(report(light, colours[0], colours[1]).isHDR == isHDR)
    #expect(!report(light, colours[0]).isHDR)
  }

  /// A tag of a Matroska file may be any text.
  @Test(arguments: ["0", "180", "-360", "45", "1e300", "-1e300", "nan", "inf", "x", ""])
  func `a video that is not turned is as it is, whatever its tag says`(degrees: String) {
    let found = report("streams.stream.0.tags.rotate=\"\(degrees)\"", "format.duration=\"4.2\"")
    #expect(found.hasPicture && found.width == 64 && found.height == 48 && found.seconds == 4.2)
  }
}
