import Server
import Wire

extension ParseRoutes {
  /// Everything that answers below /parse. The batch comes last: it has those before it within it.
  static func all(_ objects: AppObjects, _ register: AppRegister, _ mails: AccountMails) -> ParseRoutes {
    var routes = ParseRoutes(objects, register)
    HealthRoutes().add(to: &routes)
    UserRoutes(objects, mails).add(to: &routes)
    SessionRoutes(objects: objects).add(to: &routes)
    ConfigRoutes(objects: objects).add(to: &routes)
    ClassRoutes(objects: objects).add(to: &routes)
    SchemaRoutes(objects: objects).add(to: &routes)
    ChannelRoutes(objects: objects).add(to: &routes)
    HookRoutes(objects: objects).add(to: &routes)
    AggregateRoutes(objects: objects).add(to: &routes)
    // Events that Parse's libraries count for analyses are taken, so that an app which sends them works, and not kept,
    // as with a Parse Server that has no adapter for them.
    routes.on(.post, "/events/{name}") { _ throws(HTTPError) in ParseAnswer(json: [:]) }
    BatchRoutes(objects: objects).add(to: &routes)
    return routes
  }
}
