import Pictures

/// Pictures from whoever sends some.
nonisolated(unsafe) let pictureTargets: [String: (UnsafeBufferPointer<UInt8>) -> Void] = [
  "picture": { bytes in
    let all = Array(bytes)
    let whole = outcome([all])
    let single = outcome(all.map { [$0] })
    guard whole == single else { fatalError("whole: \(whole); one by one: \(single)") }
    // What is kept is a picture again, of which nothing more is left out.
    if case .success(let kept) = whole, outcome([kept]) != whole { fatalError("kept: \(kept)") }
  }
]

/// What is kept of a picture whose bytes come in these pieces, or what is wrong with it.
private func outcome(_ pieces: [[UInt8]]) -> Result<[UInt8], PictureFilter.Fault> {
  var filter = PictureFilter()
  var kept: [UInt8] = []
  do throws(PictureFilter.Fault) {
    for piece in pieces { kept += try filter.feed(piece) }
    return .success(kept + (try filter.finish().rest))
  } catch {
    return .failure(error)
  }
}
