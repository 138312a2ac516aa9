import Sound

/// Voice packs, which strangers make.
nonisolated(unsafe) let soundTargets: [String: (UnsafeBufferPointer<UInt8>) -> Void] = [
  "voice": { bytes in
    guard let manifest = try? Manifest(Array(bytes)) else { return }
    require((try? Manifest(Array(manifest.text.utf8))) == manifest)
    require(manifest.parts.values.joined().allSatisfy(Manifest.isWithin))
  }
]
