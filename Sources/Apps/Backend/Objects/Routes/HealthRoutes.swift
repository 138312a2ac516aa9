import Server
import Wire

/// The first questions of Parse's libraries.
struct HealthRoutes: Sendable {
  private static let path = "\(ParseRoutes.mount)/health"

  /// Open to all: whoever watches the hub has no key. By POST, too, which is how Parse's libraries ask.
  static func add(to router: inout Router) {
    for method in [Method.get, .post] {
      router.on(
        method, path,
        .immediate { _ throws(HTTPError) in Response(json: ["status": "ok"], fields: ParseDialect.cors) })
    }
    router.on(.options, path, .immediate { _ throws(HTTPError) in ParseDialect.preflight })
  }

  func add(to routes: inout ParseRoutes) {
    routes.on(.get, "/serverInfo") { request throws(HTTPError) in
      try request.needsMaster()
      return ParseAnswer(json: Self.info)
    }
  }

  /// The version of Parse Server whose answers these routes give, and what there is of its features.
  private static let info: JSON = [
    "parseServerVersion": "8.2.0",
    "features": [
      "globalConfig": ["create": true, "read": true, "update": true, "delete": true],
      "hooks": ["create": true, "read": true, "update": true, "delete": true],
      "cloudCode": ["jobs": false],
      "logs": ["level": false, "size": false, "order": false, "until": false, "from": false],
      "push": [
        "immediatePush": false, "scheduledPush": false, "storedPushData": false, "pushAudiences": false,
        "localization": false,
      ],
      "schemas": [
        "addField": true, "removeField": true, "addClass": true, "removeClass": true, "clearAllDataFromClass": true,
        "exportClass": false, "editClassLevelPermissions": true, "editPointerPermissions": true,
      ],
    ],
  ]
}
