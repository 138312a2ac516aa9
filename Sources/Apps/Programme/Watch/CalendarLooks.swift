import Calendar
import CivilTime
import Hub
import Lifecycle

/// Reads and parses calendars on a thread of its own: what a bad server sends may take a minute, for which nobody who
/// asks about the programme should wait.
actor CalendarLooks {
  private nonisolated let worker = WorkerThread(name: "calendars")
  nonisolated var unownedExecutor: UnownedSerialExecutor { worker.asUnownedSerialExecutor() }
  private let reader: CalendarReader

  struct Look: Sendable {
    var reading: CalendarReading
    /// The new copy as it was parsed; nil if there is none.
    var parsed: Result<ParsedCalendar, CalendarError>?
  }

  init(_ hub: Hub) { reader = CalendarReader(hub) }

  /// - Parameters:
  ///   - zone: the zone of times without one.
  ///   - copy: loads the stored copy.
  func look(
    at calendar: CalendarSource, _ kept: KeptCalendar, name: String?, zone: Zone,
    copy: @escaping @Sendable () async -> [UInt8]?
  ) async -> Look {
    let reading = await reader.read(calendar, kept, name: name, copy: copy)
    guard case .new(let body, _, _) = reading else { return Look(reading: reading) }
    do throws(CalendarError) {
      return Look(reading: reading, parsed: .success(try parseCalendar(body, of: calendar, zone: zone)))
    } catch {
      return Look(reading: reading, parsed: .failure(error))
    }
  }
}
