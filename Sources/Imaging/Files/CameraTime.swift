public import CivilTime

/// True for a local time of the form 2026-11-21T18:04:00, on a day that there is. Cameras without a clock write zeros,
/// spaces, or the day from which computers count: that of 1970, or of 1904 in films.
public func isCameraTime(_ text: String) -> Bool {
  let letters = Array(text.utf8)
  guard letters.count == 19, letters[0] != UInt8(ascii: "0") else { return false }
  let form = Array("0000-00-00T00:00:00".utf8)
  let isDigit = { (letter: UInt8) in (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(letter) }
  guard zip(letters, form).allSatisfy({ isDigit($1) ? isDigit($0) : $0 == $1 }) else { return false }
  let day = String(text.prefix(10))
  guard CivilDate(day) != nil, !["1904-01-01", "1970-01-01"].contains(day) else { return false }
  let numbers = [11, 14, 17].map { (place: Int) -> Int in
    Int(letters[place] - 48) * 10 + Int(letters[place + 1] - 48)
  }
  let ranges: [ClosedRange<Int>] = [0...23, 0...59, 0...60]
  return zip(numbers, ranges).allSatisfy { $1.contains($0) }
}

/// A moment that a film tells, on the clocks of a place, as cameras write theirs; nil for what cameras without a clock
/// write, which is the beginning of 1904 or of 1970.
public func cameraTime(of moment: String?, in zone: Zone) -> String? {
  guard let instant = moment.flatMap({ parseTimestamp($0) }) else { return nil }
  let local = String(timestamp(instant, in: zone).prefix(19))
  return local > "1971" && isCameraTime(local) ? local : nil
}
