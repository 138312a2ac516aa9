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
    EventRoutes().add(to: &routes)
    BatchRoutes(objects: objects).add(to: &routes)
    return routes
  }
}
