import Store

/// The parser of a backup's manifest.
nonisolated(unsafe) let storeTargets: [String: (UnsafeBufferPointer<UInt8>) -> Void] = [
  "manifest": { bytes in
    let text = String(decoding: bytes, as: UTF8.self)
    _ = BackupManifest(text)
    // Without its last line, a digest that random bytes would never match.
    guard let manifest = BackupManifest(body: text[...]) else { return }
    require(BackupManifest(manifest.text) == manifest)
  }
]
