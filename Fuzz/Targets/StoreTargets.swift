import Store

/// What a restore reads.
nonisolated(unsafe) let storeTargets: [String: (UnsafeBufferPointer<UInt8>) -> Void] = [
  "manifest": { bytes in
    let text = String(decoding: bytes, as: UTF8.self)
    _ = BackupManifest(text)
    // No chance finds the digest that it ends with, so the lines are read without it.
    guard let manifest = BackupManifest(body: text[...]) else { return }
    require(BackupManifest(manifest.text) == manifest)
  }
]
