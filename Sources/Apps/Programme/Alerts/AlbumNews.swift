import Hub

/// Changes of events with an album, as one look at the programme finds them.
struct AlbumNews: Equatable {
  /// Events with an album as they are now, by their former identifiers; nil for one that does not take place. One that
  /// could not be looked up is missing.
  private(set) var known: [String: PlannedEvent?] = [:]
  /// The times of recurring events that are near enough for an album of their own.
  let coming: [PlannedEvent]

  /// - Parameters:
  ///   - followed: the identifiers of events with an album.
  ///   - events: those in sight.
  ///   - found: others that were looked up.
  ///   - renamed: those that have another identifier now, by their former one.
  ///   - now: seconds since 1970.
  init(
    followed: [String], events: [KnownEvent], found: [String: FoundEvent], renamed: [String: KnownEvent], now: Int
  ) {
    let inSight = Dictionary(events.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    coming = events.filter { $0.end > now && $0.start <= now + EventAlbum.secondsAhead && !$0.isCancelled }
      .map(\.planned).filter { $0.series != nil }
    for id in followed {
      var event = renamed[id] ?? inSight[id]
      if event == nil {
        switch found[id] {
        case .event(let other): event = KnownEvent(other)
        case .gone: break
        case .unknown, nil: continue
        }
      }
      known.updateValue(event.flatMap { $0.isCancelled ? nil : $0.planned }, forKey: id)
    }
  }
}
