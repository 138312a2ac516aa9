package import AnchorWatch
package import Positions

/// Chooses among the sources of positions: the best one feeds the watch, the others are witnesses who may object.
package struct SourceChoice: Sendable {
  package struct Source: Sendable {
    package var name: String
    /// The source in whose stream it is; nil for one of its own.
    var beside: Int?
    package var last: Fix?
    /// Uptime of the last fix.
    package var heard: Double?
    /// Metres; an average of late.
    var accuracy = AgentWatchLimits.usualAccuracy
    /// Fixes in a row whose time went back.
    var backward = 0
    /// Uptime since when it has been elsewhere than the best one.
    var apartSince: Double?
    /// Nil while it is the best one, or nothing can be said.
    package var agrees: Bool?
    var leaps = Leaps()
    /// Readings since its last fix that were refused, and the reason of the last one.
    package var refused: (count: Int, last: Refusal)?

    init(_ name: String, beside: Int? = nil) { (self.name, self.beside) = (name, beside) }

    mutating func note(_ fix: Fix, uptime: Double) {
      let told = fix.accuracy ?? fix.hdop.map { $0 * 5 } ?? AgentWatchLimits.usualAccuracy
      let accuracy = min(told, max(self.accuracy, 1) * AgentWatchLimits.worseAtOnce)
      self.accuracy += (accuracy - self.accuracy) * (last == nil ? 1 : 0.1)
      (last, heard) = (fix, uptime)
    }
  }

  package enum Outcome: Equatable, Sendable {
    /// It is the best source.
    case best
    /// `objects` once, when it has been elsewhere for a while; with the metres.
    case witness(objects: Double?)
    /// A fix that was told before.
    case stale
  }

  package private(set) var sources: [Source]
  package private(set) var best: Int?

  package init(_ names: [String]) { sources = names.map { Source($0) } }

  /// Judges a fix of a source.
  package mutating func heard(_ index: Int, _ fix: Fix, uptime: Double) -> Outcome {
    sources[index].refused = nil
    if let last = sources[index].last {
      if fix.time == last.time { return .stale }
      sources[index].backward = fix.time < last.time ? sources[index].backward + 1 : 0
      if (1..<AgentWatchLimits.clockWasSetFixes).contains(sources[index].backward) { return .stale }
    }
    sources[index].note(fix, uptime: uptime)
    choose(index, uptime)
    guard best != index else {
      (sources[index].agrees, sources[index].apartSince) = (nil, nil)
      return .best
    }
    return .witness(objects: compare(index, uptime))
  }

  /// Notes that a source has told something that is no position.
  package mutating func refused(_ index: Int, _ refusal: Refusal) {
    sources[index].refused = ((sources[index].refused?.count ?? 0) + 1, refusal)
  }

  /// Judges a fix of another receiver in a source's stream, which is a witness by its own name and never the best one.
  /// - Returns: its name and the metres, once, when it has been elsewhere for a while.
  package mutating func heard(
    _ receiver: String, beside index: Int, _ fix: Fix, uptime: Double
  ) -> (name: String, metres: Double)? {
    let name = "\(sources[index].name): \(receiver)"
    // Two streams of one host have one name.
    var own = sources.firstIndex { $0.beside == index && $0.name == name }
    if own == nil, sources.count < AgentWatchLimits.sources + PositionLimits.receivers {
      own = sources.count
      sources.append(Source(name, beside: index))
    } else if own == nil {
      // Devices come and go, and have another name each time: the place of one that is silent is free.
      own = sources.indices.first { sources[$0].beside != nil && !isFresh($0, uptime) }
      if let own { sources[own] = Source(name, beside: index) }
    }
    guard let own, fix.time != sources[own].last?.time else { return nil }
    sources[own].note(fix, uptime: uptime)
    return compare(own, uptime).map { (name: name, metres: $0) }
  }

  /// Judges if a source is torn between two places, as one is that mixes two receivers without their names. Each fix of
  /// either looks like an error of the other, and a boat that drags like one that lies still.
  /// - Returns: the metres between them, once, when it has been so for a while.
  package mutating func tears(_ index: Int, _ fix: Fix, uptime: Double) -> Double? {
    let allowed = 2 * sources[index].accuracy + AgentWatchLimits.disagreementMetres
    return sources[index].leaps.take(fix.position, allowed: allowed, uptime: uptime)
  }

  /// A watch begins: who objects, and has since before, does so anew.
  package mutating func begin() {
    for index in sources.indices {
      sources[index].leaps = Leaps()
      if sources[index].agrees == false { sources[index].agrees = nil }
    }
  }

  /// True while a source leaps to and fro.
  package func isTorn(uptime: Double) -> Bool { sources.contains { $0.leaps.goOn(uptime: uptime) } }

  private mutating func choose(_ index: Int, _ uptime: Double) {
    guard let best, best != index, isFresh(best, uptime) else { return self.best = index }
    if sources[index].accuracy < sources[best].accuracy * AgentWatchLimits.betterAccuracy { self.best = index }
  }

  private func isFresh(_ index: Int, _ uptime: Double) -> Bool {
    sources[index].heard.map { uptime - $0 <= AgentWatchLimits.staleSeconds } ?? false
  }

  /// False while a witness that is heard sees the boat elsewhere, or a source is torn; true if all see her at the same
  /// place; nil if the best one is alone.
  package func agrees(uptime: Double) -> Bool? {
    if sources.contains(where: { $0.leaps.isTold && $0.leaps.goOn(uptime: uptime) }) { return false }
    let heard = sources.filter { uptime - ($0.heard ?? -.infinity) <= AgentWatchLimits.instrumentSeconds }
    let said = heard.compactMap(\.agrees)
    return said.isEmpty ? nil : !said.contains(false)
  }

  private mutating func compare(_ index: Int, _ uptime: Double) -> Double? {
    guard let best, isFresh(best, uptime), let ours = sources[best].last, let theirs = sources[index].last else {
      return nil
    }
    let metres = ours.position.distance(to: theirs.position)
    let allowed = sources[best].accuracy + sources[index].accuracy + AgentWatchLimits.disagreementMetres
    guard metres > allowed else {
      (sources[index].apartSince, sources[index].agrees) = (nil, true)
      return nil
    }
    let since = sources[index].apartSince ?? uptime
    sources[index].apartSince = since
    guard uptime - since >= AgentWatchLimits.disagreementSeconds, sources[index].agrees != false else { return nil }
    sources[index].agrees = false
    return metres
  }
}
