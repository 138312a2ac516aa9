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
      parts.append(said("Akku \(percent) Prozent", "battery \(percent) per cent"))
    }
    return parts.joined(separator: ", ") + "."
  }

  package func metres(_ distance: Double) -> String {
    let whole = Int(min(distance, 1e6).rounded())
    return said("\(whole) Meter", whole == 1 ? "1 metre" : "\(whole) metres")
  }

  private func name(_ state: WatchState) -> String {
    switch state {
    case .waiting: said("Noch keine Position", "No position yet")
    case .holding: said("Anker hält", "Holding")
    case .warning: said("Nah am Rand", "Near the edge")
    case .alarm: said("Ankeralarm", "Anchor alarm")
    case .lost: said("Position verloren", "Position lost")
    }
  }

  /// The words in which an event is shown and said; nil for events that need none.
  package func title(_ kind: WatchKind) -> String? {
    switch kind {
    case .gap: nil
    case .positionLost: said("Position verloren", "Position lost")
    case .positionBack: said("Position wieder da", "Position back")
    case .warning: said("Nah am Rand", "Near the edge")
    case .alarm: said("Ankeralarm", "Anchor alarm")
    case .clear: said("Wieder im Bereich", "Back inside")
    case .creep: said("Der Anker wandert langsam", "The anchor creeps")
    case .windShift: said("Der Wind hat gedreht", "The wind has shifted")
    case .depth: said("Wassertiefe", "Water depth")
    }
  }

  package func battery(_ level: Double) -> String {
    let percent = Int((level * 100).rounded())
    return said("Akku bei \(percent) Prozent", "Battery at \(percent) per cent")
  }

  package func objection(_ source: String, _ metres: Double) -> String {
    said(
      "Zwei Empfänger sind sich uneinig: \(source) zeigt \(self.metres(metres)) daneben",
      "Two receivers disagree: \(source) is \(self.metres(metres)) away")
  }

  package func body(_ distance: Double) -> String {
    said("\(metres(distance)) vom Anker", "\(metres(distance)) from the anchor")
  }

  private func said(_ german: String, _ english: String) -> String { language == .german ? german : english }
}
