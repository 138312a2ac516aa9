import Observe
import Server
import Synchronization
import Wire

extension Hub {
  /// Serves the monitoring routes: GET /healthz for everyone, GET /metrics for owners.
  func addOperationRoutes(to router: inout Router) {
    let readings = HubReadings(self)
    let health = Health(self)
    router.on(
      .get, "/healthz",
      .task { [self] request throws(HTTPError) in
        if isLeaving.load(ordering: .relaxed) {
          throw HTTPError(
            .unhealthy, "The hub is stopping.", help: "Others go on: send people to them until it is back.")
        }
        if let problem = await health.problem() {
          throw HTTPError(
            .unhealthy, problem, help: "The hub's log says when it began; eightbells doctor says what to mend.")
        }
        var members: [JSON.Member] = [.init("status", "ok")]
        // For `eightbells doctor`, which asks from this machine; strangers learn nothing about the internal network.
        if peerAddress(request.peer)?.isPublic != true {
          if let proxy = unbelievedProxy.seen { members.append(.init("unbelieved_proxy", .string(proxy))) }
          let unheard = cluster?.unheardHosts ?? []
          if !unheard.isEmpty { members.append(.init("unheard_hubs", .array(unheard.map { .string($0) }))) }
        }
        let failing = supervisor.failing
        if !failing.isEmpty { members.append(.init("failing_tasks", .array(failing.map { .string($0) }))) }
        if let lost = cluster?.lostChanges { members.append(.init("lost_changes_at", .double(lost.at))) }
        return Response(
          contentType: "application/json", body: .bytes(JSON.object(members).bytes), cacheControl: "no-store")
      })
    router.on(
      .get, "/metrics",
      .task { [self] request throws(HTTPError) in
        _ = try await authorise(request, .manage)
        await readings.refresh()
        // Readings access /proc and the disk, so not on the loop.
        let text = await Task.detached { [metrics] in metrics.text() }.value
        return Response(contentType: Metrics.contentType, body: .bytes(text), cacheControl: "no-store")
      })
  }
}
