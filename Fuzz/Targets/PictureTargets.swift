import Pictures

/// The filter of uploaded pictures.
nonisolated(unsafe) let pictureTargets: [String: (UnsafeBufferPointer<UInt8>) -> Void] = [
  "picture": { bytes in
    let all = Array(bytes)
    let whole = outcome([all])
    let single = outcome(all.map { [$0] })
    guard whole == single else { fatalError("whole: \(whole); one by one: \(single)") }
    // The result is a picture again, from which nothing more is removed.
    if case .success(let kept) = whole, outcome([kept]) != whole { fatalError("kept: \(kept)") }
  }
]

/// The result for a picture that comes in these pieces: the bytes kept, or the fault.
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
