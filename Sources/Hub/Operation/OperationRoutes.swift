import Glibc
import Observe
public import Server
import Wire

extension Hub {
  /// Serves what whoever runs the hub watches it by: GET /healthz for everyone, GET /metrics for owners.
  public func addOperationRoutes(to router: inout Router) {
    addMetrics()
    let health = Health(self)
    router.on(
      .get, "/healthz",
      .task { _ throws(HTTPError) in
        if let problem = await health.problem() {
          throw HTTPError(
            .unhealthy, problem, help: "The hub's log says when it began; eightbells doctor says what to mend.")
        }
        return Response(
          contentType: "application/json", body: .bytes(JSON.object([.init("status", "ok")]).bytes),
          cacheControl: "no-store")
      })
    router.on(
      .get, "/metrics",
      .task { request throws(HTTPError) in
        _ = try await authorise(request, [.owner])
        // Readings look into /proc and at the disk: not on the loop.
        let text = await Task.detached { metrics.text() }.value
        return Response(contentType: Metrics.contentType, body: .bytes(text), cacheControl: "no-store")
      })
  }

  /// What the process and the data folder tell; whoever counts more adds to the same registry.
  private func addMetrics() {
    metrics.addProcess()
    let folder = dataFolder
    metrics.gauge("eightbells_data_free_bytes", help: "Free on the disk that holds the data folder.") {
      var status = statvfs()
      return statvfs(folder, &status) == 0 ? Double(status.f_bavail) * Double(status.f_frsize) : .nan
    }
    for name in ["eightbells.sqlite", "eightbells.sqlite-wal"] {
      metrics.gauge("eightbells_store_file_bytes", help: "The size of a file of the store.", labels: ["file": name]) {
        var status = stat()
        return stat("\(folder)/\(name)", &status) == 0 ? Double(status.st_size) : 0
      }
    }
  }
}
