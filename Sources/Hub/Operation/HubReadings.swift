import Glibc
import Observe
import Store

/// Registers the metrics of the process, the store, the data folder and the rooms. Other code adds to the same
/// registry.
struct HubReadings: Sendable {
  private let store: Store
  private let blobs: Gauge
  private let blobBytes: Gauge

  init(_ hub: Hub) {
    store = hub.store
    blobs = hub.metrics.gauge("eightbells_blobs", help: "Pictures and other blobs that are kept.")
    blobBytes = hub.metrics.gauge("eightbells_blobs_bytes", help: "What they hold.")
    hub.metrics.addProcess()
    Self.addStore(hub.store, to: hub.metrics)
    Self.addDisk(hub.dataFolder, to: hub.metrics)
    for room in hub.rooms {
      for reading in room.readings { reading.add(to: hub.metrics, of: type(of: room).plan.id) }
    }
  }

  /// Updates the values that need waiting for the store.
  func refresh() async {
    // An unreadable store shows in /healthz; here the last numbers stay.
    guard let totals = try? await store.blobs.totals() else { return }
    blobs.set(totals.count)
    blobBytes.set(totals.bytes)
  }

  private static func addStore(_ store: Store, to metrics: Metrics) {
    metrics.counter("eightbells_store_writes_total", help: "Writes that were asked for and have ended, well or not.") {
      Double(store.statistics.writes)
    }
    metrics.counter(
      "eightbells_store_commits_total", help: "Transactions that held those writes: one sync of the disk each."
    ) { Double(store.statistics.commits) }
    metrics.gauge(
      "eightbells_store_writes_waiting", help: "Writes that have not ended: of the commit under way, and behind it."
    ) { Double(store.statistics.writesWaiting) }
    metrics.counter("eightbells_store_reads_total", help: "Questions that were asked.") {
      Double(store.statistics.reads)
    }
    metrics.gauge("eightbells_store_reads_waiting", help: "Questions that wait for a connection.") {
      Double(store.statistics.readsWaiting)
    }
    metrics.gauge("eightbells_store_readers_busy", help: "Connections at work on a question.") {
      Double(store.statistics.busyReaders)
    }
  }

  private static func addDisk(_ folder: String, to metrics: Metrics) {
    metrics.gauge("eightbells_data_free_bytes", help: "Free on the disk that holds the data folder.") {
      FreeRoom(at: folder).map { Double($0.bytes) } ?? .nan
    }
    for name in ["eightbells.sqlite", "eightbells.sqlite-wal"] {
      metrics.gauge("eightbells_store_file_bytes", help: "The size of a file of the store.", labels: ["file": name]) {
        var status = stat()
        return stat("\(folder)/\(name)", &status) == 0 ? Double(status.st_size) : 0
      }
    }
  }
}
