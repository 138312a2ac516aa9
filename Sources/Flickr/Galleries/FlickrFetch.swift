import Client
public import Galleries
import Wire

/// Files: pictures from the host of the pictures, videos from wherever their streams are.
extension FlickrSource {
  public func fetch(_ picture: SourcePicture, into file: any PictureFile) async throws(SourceFault) {
    guard let words = FlickrFile(picture.file) else { throw .broken(Reason(.flickrNoFile)) }
    switch picture.kind {
    case .picture:
      guard let url = words.url else { throw .broken(Reason(.flickrNoFile)) }
      try await fetchPicture(url, into: file)
    case .video: try await fetchVideo(words.photo, into: file)
    }
  }

  // MARK: Pictures

  private func fetchPicture(_ url: String, into file: any PictureFile) async throws(SourceFault) {
    let limit = min(FlickrLimits.pictureBytes, file.limit)
    var body = try await body(url, limit: limit)
    // A file may break off at Flickr's side, with a length that fits.
    if Self.isHalf(body) { body = try await self.body(url, limit: limit) }
    guard !Self.isHalf(body) else { throw .broken(Reason(.flickrHalf)) }
    try await file.append(body)
  }

  private func body(_ url: String, limit: Int) async throws(SourceFault) -> [UInt8] {
    try await answer(FetchRequest(url, timeout: FlickrLimits.fileSeconds, bodyLimit: limit, redirects: 0)).body
  }

  /// True for a JPEG without its end (ITU T.81 section B.1.1.3): what follows it is short, if there is anything.
  static func isHalf(_ bytes: [UInt8]) -> Bool {
    guard bytes.starts(with: [0xff, 0xd8]) else { return bytes.isEmpty }
    let end = bytes.suffix(65_536)
    return !zip(end, end.dropFirst()).contains { $0 == 0xff && $1 == 0xd9 }
  }

  // MARK: Videos

  /// Only a video needs a call for itself: lists do not have its streams.
  private func fetchVideo(_ photo: String, into file: any PictureFile) async throws(SourceFault) {
    let sizes: [JSON]
    do throws(FlickrFault) {
      sizes = try await api.sizes(of: photo, as: token)
    } catch {
      if case .refused(1, _) = error { throw .gone }
      throw error.sourceFault
    }
    guard let stream = Self.stream(sizes) else { throw .broken(Reason(.flickrNoStream)) }
    var start = 0
    var url = stream
    while true {
      let end = start + FlickrLimits.pieceBytes - 1
      let piece = try await answer(
        FetchRequest(
          url, fields: [("Range", "bytes=\(start)-\(end)")], timeout: FlickrLimits.fileSeconds,
          bodyLimit: FlickrLimits.pictureBytes, redirects: 0),
        moved: { url = $0 })
      try await file.append(piece.body)
      start += piece.body.count
      // A server that knows no ranges sends the whole.
      guard piece.status == 206, let length = Self.length(piece["content-range"]), start < length else { return }
      // A server that gives less than is asked for, such as byte by byte, would be asked for ever.
      guard piece.body.count >= FlickrLimits.pieceBytes else { throw .broken(Reason(.flickrHalf)) }
    }
  }

  /// The best stream that every device plays, up to 1080p. The original is for its owner in a browser alone.
  static func stream(_ sizes: [JSON]) -> String? {
    let order = ["1080p", "HD MP4", "720p", "Site MP4", "360p", "288p", "Mobile MP4"]
    let streams = sizes.filter { $0["media"]?.words == "video" }
    let named = order.lazy.compactMap { label in streams.first { $0["label"]?.words == label }?["source"]?.words }
    return named.first { $0.hasPrefix("https://") || $0.hasPrefix("http://") }
  }

  /// The whole length in a Content-Range such as "bytes 0-99/1000".
  private static func length(_ field: String?) -> Int? { field?.split(separator: "/").last.flatMap { Int($0) } }

  // MARK: The host of the files

  /// Gets a file, following a few redirects; each connection is checked by the client's `AddressPolicy`, so none leads
  /// inside. Busy hosts are asked again, as long as that is a matter of seconds.
  private func answer(
    _ request: FetchRequest, moved: (String) -> Void = { _ in }
  ) async throws(SourceFault) -> FetchResponse {
    var request = request
    for _ in 0...FlickrLimits.redirects {
      let response: FetchResponse
      do throws(FlickrFault) {
        response = try await api.attempt(.files) { () throws(FlickrFault) in
          let response = try await api.get(request)
          switch response.status {
          case 429, 503: throw .later(seconds: api.retryAfter(response), Reason(.flickrBusy))
          // Some files fail alone, for a while or for good; the others are there.
          case 403, 500...599:
            throw .broken(Reason(.serverAnswered, ["status": .number(response.status)]), again: true)
          default: return response
          }
        }
      } catch {
        throw error.sourceFault
      }
      switch response.status {
      case 200, 206: return response
      case 404, 410: throw .gone
      case 301, 302, 303, 307, 308:
        guard let target = response["location"], let next = request.resolved(target) else { break }
        // A picture that stands for all deleted ones.
        if next.contains("photo_unavailable") { throw .gone }
        request.url = next
        moved(next)
        continue
      default: break
      }
      throw .broken(Reason(.serverAnswered, ["status": .number(response.status)]))
    }
    throw .broken(Reason(.flickrOdd))
  }
}
