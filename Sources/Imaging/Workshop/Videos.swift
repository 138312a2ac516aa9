import EventLoop

/// Lets one task pass at a time; the others wait in a row that is bounded. Confined to its loop.
final class Lane: @unchecked Sendable {
  private var isTaken = false
  private var waiting: [(Bool) -> Void] = []

  /// - Parameter pass: called with false if too many are waiting.
  func enter(_ pass: @escaping (Bool) -> Void) {
    if !isTaken {
      isTaken = true
      pass(true)
    } else if waiting.count < ImagingLimits.videoJobs {
      waiting.append(pass)
    } else {
      pass(false)
    }
  }

  func leave() {
    if waiting.isEmpty { isTaken = false } else { waiting.removeFirst()(true) }
  }
}

extension PictureWorkshop {
  /// Writes a video as H.264 in MP4, its shorter side at most 720 pixels, without what tells of its origin.
  /// - Parameters:
  ///   - source: a regular file, open for reading.
  ///   - target: an empty regular file, open for reading and writing; after an error, what is in it is worth nothing.
  /// - Returns: the length in seconds; what browsers record tells none before it is converted. nil if it is not known.
  @discardableResult
  public func video(_ source: Int32, into target: Int32) async throws(PictureError) -> Double? {
    let report = try await report(on: source)
    guard report.hasPicture else { throw .notAPicture("a video without pictures") }
    guard report.seconds ?? 0 <= ImagingLimits.videoLength else {
      throw .tooLarge(
        "\(Int((report.seconds ?? 0) / 60)) minutes; converted are \(Int(ImagingLimits.videoLength / 60))")
    }
    func convert(_ more: [String]) async throws(PictureError) {
      _ = try await tool(
        ["convert"] + more, source, target: target, seconds: ImagingLimits.videoSeconds, in: conversions)
    }
    do throws(PictureError) {
      try await convert(report.isHDR ? ["hdr"] : [])
    } catch {
      // Not every ffmpeg has the filter, and it takes time: a pale film is better than none.
      guard report.isHDR, error != .full else { throw error }
      try await convert([])
    }
    if let seconds = report.seconds { return seconds }
    // The film is made, also where nobody can say how long it is.
    do { return try await self.report(on: target).seconds } catch { return nil }
  }

  /// Writes an audio file anew as AAC in an .m4a, of at most `ImagingLimits.soundLength` seconds, without pictures,
  /// titles, places and whatever else it tells. The files are as for `video`.
  public func sound(_ source: Int32, into target: Int32) async throws(PictureError) {
    _ = try await tool(["sound"], source, target: target, seconds: ImagingLimits.soundSeconds, in: looks)
  }

  /// Ends the video that is being written with `PictureError.full`: another one is to have its turn.
  public func giveWay() {
    loop.perform { [self] in for tool in tools.values where tool.makesFile { tool.stop(.full) } }
  }

  /// Looks into a video, and makes a picture of its second second, or of its first moment if it is shorter.
  func look(_ source: Int32, _ wish: PictureJob.Wish, urgent: Bool) async throws(PictureError) -> MadePicture {
    let report = try await report(on: source)
    guard report.hasPicture else { return MadePicture() }
    let moments = report.seconds ?? 0 > 2 ? ["1", "0"] : ["0"]
    var picture: [UInt8] = []
    // It needs a filter that not every ffmpeg has; without it, the colours are pale.
    if report.isHDR { picture = (try? await self.picture(source, moments, ["hdr"])) ?? [] }
    if picture.isEmpty { picture = try await self.picture(source, moments, []) }
    var made = try await decode(PictureJob(bytes: picture, wish: wish), urgent: urgent)
    (made.kind, made.width, made.height) = (.video, report.width, report.height)
    (made.seconds, made.taken, made.pair) = (report.seconds, report.taken, report.pair)
    made.created = report.created
    return made
  }

  /// A picture of the first of these moments that the video has; empty if it has none of them.
  private func picture(_ source: Int32, _ moments: [String], _ more: [String]) async throws(PictureError) -> [UInt8] {
    for moment in moments {
      let picture = try await tool(
        ["picture", moment] + more, source, longest: ImagingLimits.inlineBytes, seconds: ImagingLimits.lookSeconds,
        in: looks)
      if !picture.isEmpty { return picture }
    }
    return []
  }

  private func report(on source: Int32) async throws(PictureError) -> VideoReport {
    let bytes = try await tool(
      ["look"], source, longest: ImagingLimits.reportBytes, seconds: ImagingLimits.lookSeconds, in: looks)
    return VideoReport(String(decoding: bytes, as: UTF8.self))
  }

  func tool(
    _ arguments: [String], _ source: Int32, target: Int32? = nil, longest: Int = 0, seconds: Double, in lane: Lane
  ) async throws(PictureError) -> [UInt8] {
    if case .ready(_, let problem?) = state { throw .notInstalled(problem) }
    let result: Result<[UInt8], PictureError> = await withUnsafeContinuation { continuation in
      loop.perform { [self] in
        lane.enter { [self] mayPass in
          guard mayPass else { return continuation.resume(returning: .failure(.full)) }
          let leave = { (result: Result<[UInt8], PictureError>) in
            lane.leave()
            continuation.resume(returning: result)
          }
          if let closed { return leave(.failure(closed)) }
          guard let program else { return leave(.failure(.notInstalled("eightbells-pictures"))) }
          var key: ObjectIdentifier?
          let tool = VideoTool(
            program, arguments, source: source, target: target, longest: longest, seconds: seconds, loop: loop
          ) { [self] result in
            if let key { tools[key] = nil }
            leave(result)
          }
          key = ObjectIdentifier(tool)
          tools[key!] = tool
        }
      }
    }
    return try result.get()
  }
}
