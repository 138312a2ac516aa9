import Sound

/// Voice packs, which strangers make.
nonisolated(unsafe) let soundTargets: [String: (UnsafeBufferPointer<UInt8>) -> Void] = [
  "sound": { bytes in
    guard let length = DeclaredLength(UnsafeRawBufferPointer(bytes)) else { return }
    require((0...bytes.count).contains(length.present) && (1..<0x7FFF_0000).contains(length.bytes), "\(length)")
  },
  "voice": { bytes in
    guard let manifest = try? Manifest(Array(bytes)) else { return }
    require((try? Manifest(Array(manifest.text.utf8))) == manifest)
    require(manifest.parts.values.joined().allSatisfy(Manifest.isWithin))
  },
]
