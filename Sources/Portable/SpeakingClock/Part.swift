/// A recorded or made sound that announcements are joined from. A voice pack has a file for each one it can say.
public enum Part: Hashable, Sendable {
  /// A number as it is said by itself, 0 to 59: as an hour, or as minutes.
  case number(Int)
  /// Minutes below ten after an hour in English, 1 to 9: "oh five".
  case oh(Int)
  case word(Word)

  public enum Word: String, CaseIterable, Sendable {
    /// A stroke of the full hour.
    case bigben
    case am = "AM"
    case pm = "PM"
    case oclock
    /// The full hour of a clock with 24 hours in English: "fifteen hundred".
    case hundred
    /// "Ein" before "Uhr", where the number by itself is "eins".
    case ein
    case uhr
    case viertel
    case dreiviertel
    case halb
    case nach
    case vor
    /// One stroke of a ship's bell.
    case bell
    /// Two strokes in quick succession, which ship's bells are grouped in.
    case bells
    /// News, a whole sentence each: the sign at the door was turned.
    case open
    case closed
    /// The anchor watch's alarms: the boat has left her zone, or nothing is heard of her.
    case dragging
    case unheard
  }

  /// True for news, which no announcement of the time has.
  public var isNews: Bool {
    switch self {
    case .word(.open), .word(.closed), .word(.dragging), .word(.unheard): true
    default: false
    }
  }

  /// The name in voice packs and in what programs print: "12", "05", "AM".
  public var name: String {
    switch self {
    case .number(let number): "\(number)"
    case .oh(let minutes): "0\(minutes)"
    case .word(let word): word.rawValue
    }
  }

  /// The part of a name; nil for a name that no announcement has.
  public init?(name: String) {
    if let word = Word(rawValue: name) {
      self = .word(word)
    } else if let number = Int(name), (0...59).contains(number) {
      let named: Part = name.utf8.count == 2 && number < 10 ? .oh(number) : .number(number)
      guard named.name == name, named != .oh(0) else { return nil }
      self = named
    } else {
      return nil
    }
  }

  /// The same as a number, for the functions of the WebAssembly module: 0 to 59, 101 to 109, and from 200 the words in
  /// their order.
  public var code: Int {
    switch self {
    case .number(let number): number
    case .oh(let minutes): 100 + minutes
    case .word(let word): 200 + word.place
    }
  }
}

extension Part.Word {
  /// The place among all words. Looked up without comparing their names: that needs the tables of Unicode, with which
  /// the module for the page would be ten times as large.
  fileprivate var place: Int {
    switch self {
    case .bigben: 0
    case .am: 1
    case .pm: 2
    case .oclock: 3
    case .hundred: 4
    case .ein: 5
    case .uhr: 6
    case .viertel: 7
    case .dreiviertel: 8
    case .halb: 9
    case .nach: 10
    case .vor: 11
    case .bell: 12
    case .bells: 13
    case .open: 14
    case .closed: 15
    case .dragging: 16
    case .unheard: 17
    }
  }
}

extension [Part] {
  static func words(_ words: Part.Word...) -> [Part] { words.map { .word($0) } }
}
