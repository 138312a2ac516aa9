package import AnchorWatch

/// Chooses among the sources of positions: the best one feeds the watch, the others are witnesses who may object.
package struct SourceChoice: Sendable {
  package struct Source: Sendable {
    package var name: String
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

  package init(_ names: [String]) { sources = names.map { Source(name: $0) } }

  /// Judges a fix of a source.
  package mutating func heard(_ index: Int, _ fix: Fix, uptime: Double) -> Outcome {
    if let last = sources[index].last {
      if fix.time == last.time { return .stale }
      sources[index].backward = fix.time < last.time ? sources[index].backward + 1 : 0
      if (1..<AgentWatchLimits.clockWasSetFixes).contains(sources[index].backward) { return .stale }
    }
    let accuracy = fix.accuracy ?? fix.hdop.map { $0 * 5 } ?? AgentWatchLimits.usualAccuracy
    sources[index].accuracy += (accuracy - sources[index].accuracy) * (sources[index].last == nil ? 1 : 0.1)
    (sources[index].last, sources[index].heard) = (fix, uptime)
    choose(index, uptime)
    guard best != index else {
      (sources[index].agrees, sources[index].apartSince) = (nil, nil)
      return .best
    }
    return .witness(objects: compare(index, uptime))
  }

  private mutating func choose(_ index: Int, _ uptime: Double) {
    guard let best, best != index, isFresh(best, uptime) else { return self.best = index }
    if sources[index].accuracy < sources[best].accuracy * AgentWatchLimits.betterAccuracy { self.best = index }
  }

  private func isFresh(_ index: Int, _ uptime: Double) -> Bool {
    sources[index].heard.map { uptime - $0 <= AgentWatchLimits.staleSeconds } ?? false
  }

  /// False while a witness that is heard sees the boat elsewhere, true if all see her at the same place; nil if the
  /// best one is alone.
  package func agrees(uptime: Double) -> Bool? {
    let said = sources.indices.filter { isFresh($0, uptime) }.compactMap { sources[$0].agrees }
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
