import CivilTime
import Objects
import Uploads
import XML

/// What servers and programs elsewhere send.
nonisolated(unsafe) let foreignTargets: [String: (UnsafeBufferPointer<UInt8>) -> Void] = [
  "multistatus": { bytes in _ = try? Multistatus(Array(bytes)) },
  "tus": { bytes in
    guard let metadata = try? UploadMetadata(String(decoding: bytes, as: UTF8.self)) else { return }
    // HEAD repeats it, and it is read again after a restart.
    require((try? UploadMetadata(metadata.text)) == metadata)
  },
  "live": { bytes in _ = try? LiveMessage(String(decoding: bytes, as: UTF8.self)) },
  "zonefile": { bytes in _ = try? Zone(name: "Test/Zone", zoneFile: Array(bytes)) },
]
