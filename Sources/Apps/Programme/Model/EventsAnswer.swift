package import Calendar
package import CivilTime
import Hub
package import Wire

/// The state of a calendar that everyone may read.
package struct SourceStatus: Equatable, Sendable {
  /// The calendar's identifier in its events.
  package var calendar: String
  package var name: String?
  /// "#rrggbb".
  package var color: String?
  /// The time when the source last confirmed the copy in use, in seconds since 1970; nil without a copy.
  package var asOf: Int?
  package var problem: Reason?
  package var since: Int?
  /// The faults of parts that were left out of an otherwise good copy.
  package var warnings: [String]

  func json(zone: Zone) -> JSON {
    [
      "calendar": .string(calendar), "name": JSON(name), "color": JSON(color),
      "as_of": JSON(instant: asOf, in: zone),
      "problem": JSON(problem?.text), "reason": problem?.json ?? .null, "since": JSON(instant: since, in: zone),
      "warnings": .array(warnings.map { .string($0) }),
    ]
  }
}

/// `{"events": […], "as_of": …, "sources": […]}`.
package enum EventsAnswer {
  /// The answer's bytes. Each event is encoded by itself, since a JSON value of the whole would take many times the
  /// room.
  package static func bytes(_ occurrences: [Occurrence], sources: [SourceStatus], zone: Zone) -> [UInt8] {
    // The whole is as old as its oldest part; unknown until every source was read once.
    let isComplete = !sources.isEmpty && sources.allSatisfy { $0.asOf != nil }
    let oldest = isComplete ? sources.compactMap(\.asOf).min() : nil
    var bytes = Array("{\"events\":[".utf8)
    for (index, occurrence) in occurrences.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      event(occurrence, zone: zone).append(to: &bytes)
    }
    bytes += "],\"as_of\":".utf8
    JSON(instant: oldest, in: zone).append(to: &bytes)
    bytes += ",\"sources\":".utf8
    JSON.array(sources.map { $0.json(zone: zone) }).append(to: &bytes)
    bytes.append(UInt8(ascii: "}"))
    return bytes
  }

  /// One event of the answer.
  package static func event(_ occurrence: Occurrence, zone: Zone) -> JSON {
    var more: [JSON.Member] = []
    if let place = occurrence.place {
      more = [.init("lat", .double(place.latitude)), .init("lon", .double(place.longitude))]
    }
    if !occurrence.attachments.isEmpty {
      more.append(.init("attachments", .array(occurrence.attachments.map(JSON.string))))
    }
    let told = texts(occurrence, zone: zone)
    return more.isEmpty ? told : told.with(.object(more))
  }

  private static func texts(_ occurrence: Occurrence, zone: Zone) -> JSON {
    [
      "id": .string(occurrence.id), "uid": .string(occurrence.uid), "title": .string(occurrence.title),
      "start": .string(timestamp(occurrence.start, in: zone)), "end": .string(timestamp(occurrence.end, in: zone)),
      "all_day": .bool(occurrence.allDay), "location": JSON(occurrence.location), "url": JSON(occurrence.url),
      "description_html": .string(occurrence.descriptionHTML), "calendar": .string(occurrence.calendar),
      "status": .string(occurrence.status.rawValue),
    ]
  }
}
