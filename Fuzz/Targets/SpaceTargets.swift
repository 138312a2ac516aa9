import Space
import Wire

/// The parsers of data from owners and other spaces.
nonisolated(unsafe) let spaceTargets: [String: (UnsafeBufferPointer<UInt8>) -> Void] = [
  "opening_hours": { bytes in
    guard let hours = OpeningHours(String(decoding: bytes, as: UTF8.self)) else { return }
    let day = OpeningHours.minutesPerDay
    for span in hours.spans {
      require((1...7).contains(span.weekday) && (0...day).contains(span.from), "\(span)")
      require(span.from < span.to && span.to <= 2 * day, "\(span)")
    }
  },
  "spaceapi": { bytes in
    // The directory of all spaces, and the document of one.
    for entry in SpaceDirectory.entries(in: Array(bytes)) ?? [] { require(!entry.name.isEmpty && !entry.url.isEmpty) }
    guard let space = try? OtherSpace(Array(bytes)) else { return }
    require(!space.name.isEmpty && space.name.count <= SpaceLimits.name)
    for address in [space.website, space.logo].compactMap({ $0?.lowercased() }) {
      require(address.hasPrefix("https://") || address.hasPrefix("http://"), address)
    }
  },
]
