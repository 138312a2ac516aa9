/// What ffprobe says about a video: lines such as streams.stream.0.width=1920 and format.duration="4.2".
struct VideoReport: Equatable {
  /// As it is seen, in pixels.
  var width = 0
  var height = 0
  var seconds: Double?
  var taken: String?
  /// The moment that the container says.
  var created: String?
  var pair: String?
  var hasPicture = false
  /// Its light is told as HDR films have it (ITU-R BT.2100), by HLG or PQ.
  var isHDR = false

  init(_ text: String) {
    var streams: [String: [String: String]] = [:]
    for line in text.split(separator: "\n") {
      guard let equals = line.firstIndex(of: "=") else { continue }
      let name = line[..<equals]
      var value = String(line[line.index(after: equals)...])
      if value.count >= 2, value.first == "\"", value.last == "\"" { value = String(value.dropFirst().dropLast()) }
      if name.hasPrefix("streams.stream.") {
        let parts = name.split(separator: ".", maxSplits: 3)
        if parts.count == 4 { streams[String(parts[2]), default: [:]][String(parts[3])] = value }
        continue
      }
      switch name {
      case "format.duration":
        if let number = Double(value), number >= 0, number < 1e7 { seconds = number }
      case _ where name.hasSuffix("content_identifier"): pair = isContentIdentifier(value) ? value : nil
      case _ where name.hasSuffix("quicktime_creationdate"):
        let local = String(value.prefix(19))
        taken = isCameraTime(local) ? local : nil
      case "format.tags.creation_time": created = value
      default: break
      }
    }
    let first = streams.filter { $0.value["codec_type"] == "video" }.min { Int($0.key) ?? 0 < Int($1.key) ?? 0 }?.value
    guard let first, let wide = first["width"].flatMap({ Int($0) }), let high = first["height"].flatMap({ Int($0) }),
      (1...ImagingLimits.side).contains(wide), (1...ImagingLimits.side).contains(high)
    else { return }
    hasPicture = true
    isHDR =
      ["arib-std-b67", "smpte2084"].contains(first["color_transfer"]) && first["color_primaries"] == "bt2020"
      && first["color_space"] == "bt2020nc"
    let rotation = first.first { $0.key.hasSuffix("rotation") || $0.key == "tags.rotate" }.flatMap { Double($0.value) }
    // A tag of the file's own may be any number, also none.
    let isTurned = rotation.map { abs($0.rounded(.towardZero).remainder(dividingBy: 180)) == 90 } ?? false
    // A pixel's width and height: those of camcorders and of digitised tapes differ.
    let pixel = (first["sample_aspect_ratio"] ?? "").split(separator: ":").compactMap { Double(Int($0) ?? 0) }
    let stretch = pixel.count == 2 && pixel[0] > 0 && pixel[1] > 0 ? min(max(pixel[0] / pixel[1], 0.25), 4) : 1
    let seen = min(max(1, Int((Double(wide) * stretch).rounded())), ImagingLimits.side)
    (width, height) = isTurned ? (high, seen) : (seen, high)
  }
}
