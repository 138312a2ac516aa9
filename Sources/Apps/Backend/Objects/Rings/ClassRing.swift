import Hub
import Objects
import Webhooks
import Wire

/// "When a Photo is created, ring the topic photos with this template": kept with its class, and rung in the commit of
/// the object.
struct ClassRing: Sendable {
  enum Moment: String, CaseIterable, Sendable { case create, update, delete }

  let moment: Moment
  let topic: String
  private let template: ContentTemplate
  /// The same in German; nil where one text does for both languages.
  private let german: ContentTemplate?
  /// The field with the file that is shown beside the words; nil without one.
  let picture: String?

  /// Reads `{"on": "create", "topic": "photos", "template": {"title": "{{by}} has taken a photo"}}`, beside which there
  /// may be `"localized": {"de": {"title": "…"}}` and `"picture": "photo"`.
  init(_ json: JSON) throws(ObjectError) {
    for member in json.members ?? [] where !Self.members.contains(member.name) {
      let known = Self.members.joined(separator: ", ")
      throw .schema("rings: \(member.name.prefix(40)) is unknown; \(known) are accepted.")
    }
    guard let moment = json["on"]?.string.flatMap(Moment.init) else {
      throw .schema("rings: on is \(json["on"]?.text.prefix(40) ?? "missing"); create, update or delete is accepted.")
    }
    guard let topic = json["topic"]?.string, TokenTopics.isID(topic) else {
      throw .schema("rings: topic is \(json["topic"]?.text.prefix(80) ?? "missing"); \(TokenTopics.accepted)")
    }
    (self.moment, self.topic) = (moment, topic)
    template = try Self.template(json["template"] ?? nil)
    german = try json["localized"].flatMap { $0["de"] }.map(Self.template)
    if let field = json["picture"], field != .null {
      guard let name = field.string, ClassSchema.isFieldName(name) else {
        throw .schema("rings: picture is \(field.text.prefix(60)); the name of a field of files is accepted.")
      }
      picture = name
    } else {
      picture = nil
    }
  }

  private static let members = ["on", "topic", "template", "localized", "picture"]

  /// Checks what an owner sets for a class, whose fields are known by now.
  static func check(_ rings: [JSON], of schema: ClassSchema) throws(ObjectError) {
    guard rings.count <= AppsLimits.ringsOfClass else {
      throw .schema("rings: \(rings.count); at most \(AppsLimits.ringsOfClass) of a class are accepted.")
    }
    for ring in rings {
      guard let field = try ClassRing(ring).picture, schema.type(of: field) != .file else { continue }
      throw .schema("rings: picture is \(field.prefix(60)), which is no field of files of the class.")
    }
  }

  private static func template(_ json: JSON) throws(ObjectError) -> ContentTemplate {
    guard json["subtitle"] == nil else { throw .schema("rings: a notification of an app has no subtitle.") }
    do throws(ContentTemplate.Fault) {
      return try ContentTemplate(json)
    } catch {
      throw .schema("rings: template\(error.field.isEmpty ? "" : ".\(error.field)"): \(error.message)")
    }
  }

  /// The notification about an object.
  /// - Parameter picture: what it shows beside the words.
  func bell(about object: StoredObject, picture: Bell.Picture?) -> Bell {
    let json = object.json()
    let (english, german) = (
      template.make(of: json, name: object.className), (german ?? template).make(of: json, name: object.className)
    )
    func text(_ name: String) -> String? { english.content[name]?.string }
    func words(_ name: String) -> Bell.Words? {
      guard let text = text(name) ?? german.content[name]?.string else { return nil }
      return Bell.Words(text, german: german.content[name]?.string ?? text)
    }
    // A template may have a body alone.
    return Bell(
      to: ["topic": .string(topic)], title: words("title") ?? Bell.Words(object.className, german: object.className),
      body: words("body"), category: text("category"), thread: text("thread"), collapseID: english.collapseID,
      level: text("interruption_level").flatMap(Bell.Level.init) ?? .active, path: text("url"),
      picture: picture)
  }
}
