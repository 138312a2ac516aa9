import Imaging

/// The readers between strangers' files and the hub: frames of the program that decodes, and what is read of files.
nonisolated(unsafe) let imagingTargets: [String: (UnsafeBufferPointer<UInt8>) -> Void] = [
  "frames": { bytes in
    let all = Array(bytes)
    require(frames([all]) == frames(all.map { [$0] }))
  },
  "heic": { bytes in
    var copy = Array(bytes)
    let before = copy
    let places = copy.withUnsafeMutableBytes { all in
      let places = HEICPatch.places(in: FileBytes(UnsafeRawBufferPointer(all)))
      HEICPatch.apply(places, to: all)
      return places
    }
    // Only the types of boxes have changed, and a second look finds nothing.
    for (offset, byte) in before.enumerated() where byte != copy[offset] {
      require(places.contains { ($0..<$0 + 4).contains(offset) })
    }
    require(copy.withUnsafeBytes { HEICPatch.places(in: FileBytes($0)) }.isEmpty)
    copy.withUnsafeBytes { all in
      _ = FileKind(FileBytes(all))
      _ = CameraNotes(exif: all)
      _ = ColourProfile.isPlain(all)
      let words = PictureWords(xmp: all, iptc: all)
      require(PictureWords(title: words.title, caption: words.caption) == words)
    }
  },
]

/// The contents of frames; the bytes come in these pieces.
private func frames(_ pieces: [[UInt8]]) -> String {
  var splitter = FrameSplitter()
  var said = ""
  do throws(Frame.Fault) {
    for piece in pieces {
      splitter.feed(piece)
      while let frame = try splitter.next() {
        switch frame.kind {
        case .job:
          let job = try JobMessage(frame)
          require(try JobMessage(job.frame) == job)
          said += "\(job)"
        case .ready: said += "\(try ReadyMessage(frame))"
        case .made, .failed:
          let outcome = try Outcome(frame)
          if case .made = outcome { require(try Outcome(outcome.frame) == outcome) }
          said += "\(outcome)"
        }
      }
    }
  } catch {
    said += "\(error)"
  }
  return said
}
