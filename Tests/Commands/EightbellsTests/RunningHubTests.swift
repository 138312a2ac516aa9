import Hub
import HubProgram
import Testing
import Wire

/// The doctor's findings in a running hub's own report.
struct RunningHubTests {
  @Test func `tasks that keep failing are named`() {
    let found = RunningHub.tasks(["status": "ok", "failing_tasks": ["space.followed", "outbox"]])
    #expect(found.map(\.verdict) == [.warning])
    #expect(found.first?.text.contains("space.followed, outbox") == true)
  }

  @Test func `hubs of which the bus brings nothing are named`() {
    let found = RunningHub.unheard(["status": "ok", "unheard_hubs": ["three", "two"]])
    #expect(found.map(\.text) == ["no messages come from the hubs on three, two"])
    #expect(RunningHub.unheard(["status": "ok"]).isEmpty)
  }

  @Test func `a hub without failing tasks, and none at all, are nothing to report`() {
    #expect(RunningHub.tasks(["status": "ok"]).isEmpty)
    #expect(RunningHub.tasks(nil).isEmpty)
  }
}
