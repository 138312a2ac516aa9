import Client
import EventLoop
import Galleries
import Lifecycle
import Wire

@testable import Flickr

/// Flickr's answers, or what somebody else sends in their place: several pages of a list, with a zero between them.
nonisolated(unsafe) let galleryTargets: [String: (UnsafeBufferPointer<UInt8>) -> Void] = [
  "flickr": { bytes in
    let bodies = bytes.split(separator: 0, maxSplits: 4).map(Array.init)
    for body in bodies {
      for status in [200, 401, 503] {
        _ = try? FlickrAnswer.read(status: status, body: body, retryAfter: 1)
        _ = try? FlickrAnswer.readForm(status: status, body: body)
      }
    }
    let answers = bodies.compactMap { try? FlickrAnswer.read(status: 200, body: $0) }
    galleries(answers)
    photos(answers)
    for answer in answers {
      if let stream = FlickrSource.stream(answer.list("size")) { require(stream.hasPrefix("http"), stream) }
    }
  }
]

private func galleries(_ answers: [JSON]) {
  var paging = ListPaging<SourceGallery> { $0.id }
  var found: [SourceGallery] = []
  for answer in answers {
    let entries = answer.list("photoset")
    let (fresh, next) = paging.take(FlickrSource.page(entries.compactMap(source.gallery), entries.count, answer))
    found += fresh
    if next == .end { break }
  }
  require(Set(found.map(\.id)).count == found.count)
  for one in found {
    require(one.title.count <= GalleryLimits.title && one.text.count <= GalleryLimits.text)
  }
  let ordered = FlickrSource.ordered(found, by: FlickrSource.sets(in: answers.first ?? .null))
  require(ordered.map(\.id).sorted() == found.map(\.id).sorted())
}

private func photos(_ answers: [JSON]) {
  var paging = ListPaging<FlickrPhoto> { $0.id }
  for answer in answers {
    let entries = answer.list("photo")
    let (fresh, next) = paging.take(FlickrSource.page(entries.compactMap(FlickrPhoto.init), entries.count, answer))
    for photo in fresh {
      let picture = photo.picture(owner: source.user, source.api.addresses)
      require(picture.title.count <= GalleryLimits.title && picture.caption.count <= GalleryLimits.text)
      guard let file = FlickrFile(picture.file) else { return require(false, picture.file) }
      require(file.photo == picture.id && file.url?.hasPrefix("http") ?? true, picture.file)
    }
    if next == .end { break }
  }
}

private let source: FlickrSource = {
  let loop = EventLoop(time: SystemTime())
  guard let key = FlickrKey(key: "9a05", secret: "00ff") else { fatalError("a key is refused") }
  // Nothing is asked.
  let api = FlickrAPI(
    key: key, client: HTTPClient(loop: loop, userAgent: "Fuzz/1"), time: SystemTime(), count: { _ in 0 },
    wait: { _ in })
  return FlickrSource(api: api, user: "1@N01", token: nil, time: SystemTime())
}()
