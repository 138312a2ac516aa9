public import Galleries
public import Lifecycle
import Wire

/// The sets of a person at Flickr, as galleries: in the order of their collections, then as they order their sets.
public struct FlickrSource: GallerySource {
  let api: FlickrAPI
  /// The person's id.
  let user: String
  /// The person as whom Flickr is asked; nil for what everybody may see.
  let token: FlickrToken?
  let time: any TimeSource

  public init(api: FlickrAPI, user: String, token: FlickrToken?, time: any TimeSource) {
    (self.api, self.user, self.token, self.time) = (api, user, token, time)
  }

  /// Flickr's terms of use want these words where pictures of it are shown (flickr.com/help/terms/api).
  public static let notice = "This product uses the Flickr API but is not endorsed or certified by SmugMug, Inc."

  // MARK: Galleries

  public func galleries() async throws(SourceFault) -> [SourceGallery] {
    do throws(FlickrFault) {
      let sets = try await sets()
      // Few people have collections; without any, there is nothing to order.
      return sets.isEmpty ? [] : Self.ordered(sets, by: Self.sets(in: try await collections()))
    } catch {
      throw error.sourceFault
    }
  }

  private func sets() async throws(FlickrFault) -> [SourceGallery] {
    var paging = ListPaging<SourceGallery> { $0.id }
    var galleries: [SourceGallery] = []
    while true {
      let answer = try await api.sets(of: user, page: paging.page, as: token)
      let entries = answer.list("photoset")
      let (fresh, next) = paging.take(Self.page(entries.compactMap(gallery), entries.count, answer))
      galleries += fresh
      guard next == .end || galleries.count >= GalleryLimits.galleries else { continue }
      // No sets, although there are some: that must not look as if they were deleted.
      if paging.isCut || galleries.isEmpty && answer["total"]?.whole ?? 0 > 0 {
        throw .later(seconds: nil, Reason(.flickrBusy))
      }
      return Array(galleries.prefix(GalleryLimits.galleries))
    }
  }

  /// A number that can be reckoned with, whatever was answered.
  private static func amount(_ number: Int) -> Int { min(max(0, number), Int(Int32.max)) }

  static func page<Item>(_ items: [Item], _ entries: Int, _ answer: JSON) -> ListPaging<Item>.Page {
    ListPaging<Item>.Page(
      items: items, entries: entries, number: answer["page"]?.whole, pages: answer["pages"]?.whole,
      total: answer["total"]?.whole.map(amount))
  }

  func gallery(_ json: JSON) -> SourceGallery? {
    guard let id = json["id"]?.words, !id.isEmpty, id.utf8.count <= 40 else { return nil }
    let photos = (json["photos"]?.whole ?? json["count_photos"]?.whole).map(Self.amount)
    let videos = Self.amount(json["videos"]?.whole ?? json["count_videos"]?.whole ?? 0)
    return SourceGallery(
      id: id, title: String((json["title"]?.words ?? "").prefix(GalleryLimits.title)),
      text: FlickrPhoto.plain(json["description"]),
      tag: tag(json, count: photos.map { $0 + videos }), cover: json["primary"]?.words)
  }

  /// A set's date of update says when its list has changed, not that a picture was replaced or made private. So a set
  /// that fits in one call is asked for each time, and a larger one when its list has changed and once a day: copies of
  /// pictures that became private are to be removed within a day.
  private func tag(_ json: JSON, count: Int?) -> String? {
    guard let count, count > FlickrLimits.page, let updated = json["date_update"]?.words else { return nil }
    let day = Int(time.now) / 86_400
    return "\(updated)-\(count)-\(json["primary"]?.words ?? "")-\(token == nil ? "all" : "own")-\(day)"
  }

  private func collections() async throws(FlickrFault) -> JSON {
    do throws(FlickrFault) {
      return try await api.collections(of: user, as: token)
    } catch {
      // Collections give an order, no more.
      guard case .refused = error else { throw error }
      return .null
    }
  }

  /// A set's place in a tree of collections.
  struct Place: Equatable {
    let set: String
    /// The titles of the collections around it, the outermost first.
    let group: String
  }

  /// The places of the sets in a tree of collections, in its order.
  static func sets(in tree: JSON, group: String = "", depth: Int = 0) -> [Place] {
    guard depth < FlickrLimits.depth else { return [] }
    let own = tree.list("set").compactMap { one in one["id"]?.words.map { Place(set: $0, group: group) } }
    return own
      + tree.list("collection").flatMap { one in
        let title = one["title"]?.words ?? ""
        let titles = [group, title].filter { !$0.isEmpty }.joined(separator: " › ")
        return sets(in: one, group: String(titles.prefix(GalleryLimits.title)), depth: depth + 1)
      }
  }

  /// Galleries in the order of their collections, and with their names; those in none are last, in their own order.
  static func ordered(_ galleries: [SourceGallery], by places: [Place]) -> [SourceGallery] {
    let numbers = Dictionary(zip(places.map(\.set), 0...), uniquingKeysWith: { first, _ in first })
    return galleries.enumerated()
      .map { (numbers[$0.element.id] ?? places.count, $0.offset, $0.element) }
      .sorted { ($0.0, $0.1) < ($1.0, $1.1) }
      .map { number, _, gallery in
        var placed = gallery
        if number < places.count { placed.group = places[number].group }
        return placed
      }
  }

  // MARK: Pictures

  public func pictures(
    of gallery: SourceGallery, page: @Sendable (SourcePage) async throws(SourceFault) -> Void
  ) async throws(SourceFault) {
    var paging = ListPaging<FlickrPhoto> { $0.id }
    while true {
      let answer = try await photos(of: gallery, page: paging.page)
      let (fresh, next) = paging.take(answer)
      if paging.count == 0, next == .end, let total = answer.total, total > 0 {
        throw .broken(Reason(.flickrEmpty, ["count": .number(total)]))
      }
      if paging.isCut { throw .broken(Reason(.flickrCut)) }
      if !fresh.isEmpty { try await page(SourcePage(fresh.map { $0.picture(owner: user, api.addresses) })) }
      guard next != .end, paging.count < GalleryLimits.pictures else { return }
    }
  }

  private func photos(
    of gallery: SourceGallery, page: Int
  ) async throws(SourceFault) -> ListPaging<FlickrPhoto>.Page {
    do throws(FlickrFault) {
      let answer = try await api.photos(in: gallery.id, of: user, page: page, as: token)
      let entries = answer.list("photo")
      return Self.page(entries.compactMap(FlickrPhoto.init), entries.count, answer)
    } catch {
      // "Photoset not found" also stands for a set of private pictures: it is no reason to delete anything.
      if case .refused(1...2, _) = error { throw .broken(Reason(.flickrHidden)) }
      throw error.sourceFault
    }
  }
}
