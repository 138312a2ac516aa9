import AnchorWatch
import Hub
import Store
import Wire

/// One step of the watch, as other hubs on the same database server take it too: whatever hub a device reports to, all
/// have judged the same, in the same order. So each of them goes on with what is known when the others are gone.
enum WatchStep: Equatable, Sendable {
  /// A source has told these fixes, with its clock's error taken out.
  case take(source: Int, [Fix], at: Double)
  /// Time has passed, which was news.
  case pass(at: Double)
  /// The anchor, the watch or its settings have changed.
  case settings(isAnew: Bool)
  case forget(source: Int)
}

extension Touch {
  static let watch = Touch("anchor.watch")
  /// Somebody has looked at the watch.
  static let looked = Touch("anchor.looked")
}

extension WatchStep {
  var json: JSON {
    switch self {
    case .take(let source, let fixes, let at):
      ["take": .int(source), "fixes": .array(fixes.map(\.json)), "at": .double(at)]
    case .pass(let at): ["pass": .double(at)]
    case .settings(let isAnew): ["settings": .bool(isAnew)]
    case .forget(let source): ["forget": .int(source)]
    }
  }

  /// Nil for what no hub has written.
  init?(_ json: JSON) {
    if let source = json["take"]?.int, let at = json["at"]?.number {
      self = .take(source: source, json["fixes"]?.array?.compactMap(Fix.init) ?? [], at: at)
    } else if let at = json["pass"]?.number {
      self = .pass(at: at)
    } else if let isAnew = json["settings"]?.bool {
      self = .settings(isAnew: isAnew)
    } else if let source = json["forget"]?.int {
      self = .forget(source: source)
    } else {
      return nil
    }
  }
}

extension Fix {
  /// [time, latitude, longitude, accuracy, HDOP, heading]
  fileprivate var json: JSON {
    .array([
      .double(time), .double(position.latitude), .double(position.longitude), JSON(accuracy), JSON(hdop),
      JSON(heading),
    ])
  }

  fileprivate init?(_ json: JSON) {
    guard let parts = json.array, parts.count == 6, let time = parts[0].number, let latitude = parts[1].number,
      let longitude = parts[2].number, let position = Position(latitude: latitude, longitude: longitude)
    else { return nil }
    self.init(
      time: time, position: position, accuracy: parts[3].number, hdop: parts[4].number, heading: parts[5].number)
  }
}

extension SecondWatch {
  /// Takes the steps of other hubs.
  func refresh(_ touches: Touches, in database: Database) throws(StoreError) {
    if touches.has(.looked) { hasLooked(try database.lastLook()) }
    guard touches.has(.watch) else { return }
    let now = now
    guard let passed = try touches.passed(.watch, in: database) else {
      var read = try Self.watch(in: database, now: now)
      read.goOn(from: self.watch, now: now, isBehind: true)
      return replace(read)
    }
    var watch = watch
    let sources = try database.anchorSources()
    for step in passed.compactMap({ WatchStep($0.body) }) {
      switch step {
      case .take(let id, let fixes, let at):
        if let source = sources.first(where: { $0.id == id }) { watch.heard(source) }
        _ = watch.take(fixes, from: id, now: at)
      case .pass(let at): _ = watch.pass(to: at)
      case .settings(let isAnew): watch = try Self.changed(watch, isAnew: isAnew, in: database, now: now)
      case .forget(let source): watch.forget(source)
      }
    }
    // What was told of them stands in their rows.
    let kept = Set(sources.map(\.id))
    for id in watch.sources.keys where !kept.contains(id) { watch.forget(id) }
    for source in sources { watch.heard(source) }
    replace(watch)
  }
}
