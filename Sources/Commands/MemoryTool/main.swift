import Analysis
import Capture
import Glibc
import Graph

let pid = pid_t(CommandLine.arguments[1])!
let snapshot = try Snapshot(of: pid)
print(snapshot.method, snapshot.stopSeconds, snapshot.memory.copied)
let graph = try GraphReader.read(snapshot)
print(graph.count, graph.types.count, graph.references.count, graph.roots.count, graph.remarks)
let reach = Reachability(graph)
let leaks = Leaks(graph, reach)
for f in leaks.findings { print(f.id, f.title, f.objects, f.bytes, f.instances, f.confidence) }
print("cycles")
for f in ReachableCycles.find(graph, reach) { print(f.id, f.title, f.objects, f.bytes, f.instances, f.confidence) }
for t in TypeCount.all(graph, leaks).prefix(30) { print(t.objects, t.bytes, t.leaked, t.type.name, t.type.fields.map { "\($0.name)+\($0.offset):\($0.typeName) \($0.kind) \($0.isReference)" }) }
