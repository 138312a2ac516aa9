import Objects
import Server
import Wire

/// Sums of objects, for the master key: `/aggregate/Class`.
struct AggregateRoutes: Sendable {
  let objects: AppObjects

  func add(to routes: inout ParseRoutes) {
    routes.on(.get, "/aggregate/{class}", aggregate)
  }

  private func aggregate(_ request: ParseRequest) async throws(HTTPError) -> ParseAnswer {
    try request.needsMaster()
    return ParseAnswer(
      json: try await objects.read(request) {
        ["results": .array(try $0.aggregated(request.part(1), request.parameters))]
      })
  }
}

extension ObjectReader {
  /// The results of an aggregation over all objects of a class that its conditions let through.
  func aggregated(_ className: String, _ parameters: [JSON.Member]) throws -> [JSON] {
    guard ClassSchema.isClassName(className) else { throw ObjectError.className(className) }
    let stored = try storedClass(className)
    let aggregation = try Aggregation(className: className, parameters: parameters, schema: stored?.schema)
    guard let stored else { return [] }
    var query = aggregation.query
    var room = ObjectsLimits.relationResults
    try query.resolve { subquery throws(ObjectError) in try answer(subquery.source, stored, &room) }
    var run = aggregation.run()
    var fault: ObjectError?
    try ObjectScan(self, stored, query).run({ _ in true }) { row, _ in
      guard query.matches(row.object) else { return false }
      do throws(ObjectError) { try run.add(row.object) } catch { fault = error }
      return fault != nil
    }
    if let fault = fault ?? query.fault { throw fault }
    return try run.finished()
  }
}
