package import AnchorWatch
package import SpeakingClock

/// The sentences that the watch speaks, in the clock's language.
package struct AnchorWords: Sendable {
  let language: ClockSettings.Language

  package init(_ language: ClockSettings.Language) { self.language = language }

  /// "Holding, eighteen metres, battery ninety per cent."
  package func report(_ state: WatchState, distance: Double?, battery: Double?) -> String {
    var parts = [name(state)]
    if let distance, state != .waiting, state != .lost { parts.append(metres(distance)) }
    if let battery {
      let percent = Int((battery * 100).rounded())
      parts.append(language == .german ? "Akku \(percent) Prozent" : "battery \(percent) per cent")
    }
    return parts.joined(separator: ", ") + "."
  }

  package func metres(_ distance: Double) -> String {
    let whole = Int(min(distance, 1e6).rounded())
    return language == .german ? "\(whole) Meter" : whole == 1 ? "1 metre" : "\(whole) metres"
  }

  private func name(_ state: WatchState) -> String {
    switch (state, language) {
    case (.waiting, .german): "Noch keine Position"
    case (.waiting, .english): "No position yet"
    case (.holding, .german): "Anker hält"
    case (.holding, .english): "Holding"
    case (.warning, .german): "Nah am Rand"
    case (.warning, .english): "Near the edge"
    case (.alarm, .german): "Ankeralarm"
    case (.alarm, .english): "Anchor alarm"
    case (.lost, .german): "Position verloren"
    case (.lost, .english): "Position lost"
    }
  }

  /// The words in which an event is shown and said; nil for events that need none.
  package func title(_ kind: WatchKind) -> String? {
    switch (kind, language) {
    case (.gap, _): nil
    case (.positionLost, .german): "Position verloren"
    case (.positionLost, .english): "Position lost"
    case (.positionBack, .german): "Position wieder da"
    case (.positionBack, .english): "Position back"
    case (.warning, .german): "Nah am Rand"
    case (.warning, .english): "Near the edge"
    case (.alarm, .german): "Ankeralarm"
    case (.alarm, .english): "Anchor alarm"
    case (.clear, .german): "Wieder im Bereich"
    case (.clear, .english): "Back inside"
    case (.creep, .german): "Der Anker wandert langsam"
    case (.creep, .english): "The anchor creeps"
    case (.windShift, .german): "Der Wind hat gedreht"
    case (.windShift, .english): "The wind has shifted"
    case (.depth, .german): "Wassertiefe"
    case (.depth, .english): "Water depth"
    }
  }

  package func battery(_ level: Double) -> String {
    let percent = Int((level * 100).rounded())
    return language == .german ? "Akku bei \(percent) Prozent" : "Battery at \(percent) per cent"
  }

  package func objection(_ source: String, _ metres: Double) -> String {
    language == .german
      ? "Zwei Empfänger sind sich uneinig: \(source) zeigt \(self.metres(metres)) daneben"
      : "Two receivers disagree: \(source) is \(self.metres(metres)) away"
  }

  package func body(_ distance: Double) -> String {
    language == .german ? "\(metres(distance)) vom Anker" : "\(metres(distance)) from the anchor"
  }
}
