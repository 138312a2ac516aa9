import Settings
import Testing

struct SettingsTests {
  static let known = [
    Setting("listen", "HOST:PORT", fallback: "127.0.0.1:8080", help: ""),
    Setting("calendar_folders", "DIR:DIR", fallback: "", help: ""),
  ]

  func settings(
    _ words: [String] = [], _ environment: [String: String] = [:], file: String? = nil
  ) throws(SettingsError) -> Settings {
    let arguments = try Arguments(words, accepted: Self.known.map(\.option))
    return try Settings(Self.known, arguments: arguments, environment: environment, file: file)
  }

  @Test func `an option counts before a variable, a variable before the file, the file before the fallback`() throws {
    let file = "# where\n listen = c:3 \n\n"
    #expect(try settings()["listen"] == "127.0.0.1:8080")
    #expect(try settings(file: file)["listen"] == "c:3")
    #expect(try settings([], ["EIGHTBELLS_LISTEN": "b:2"], file: file)["listen"] == "b:2")
    #expect(try settings(["--listen", "a:1"], ["EIGHTBELLS_LISTEN": "b:2"], file: file)["listen"] == "a:1")
    #expect(try settings(["--calendar-folders=/a=b"])["calendar_folders"] == "/a=b")
  }

  @Test func `a mistyped name is refused with a suggestion wherever it stands`() {
    func message(_ words: [String] = [], _ environment: [String: String] = [:], file: String? = nil) -> String {
      do throws(SettingsError) { _ = try settings(words, environment, file: file) } catch { return error.message }
      return ""
    }
    #expect(message(["--lisen", "x"]).contains("Did you mean --listen?"))
    #expect(message([], ["EIGHTBELLS_LISTN": "x"]).contains("Did you mean EIGHTBELLS_LISTEN?"))
    #expect(message(file: "\nlistne = x").contains("line 2: unknown name \"listne\". Did you mean listen?"))
    #expect(message(file: "listen").contains("NAME = VALUE"))
    #expect(message(["--listen"]).contains("--listen needs a value: --listen HOST:PORT."))
    #expect(message([], ["OTHER": "x"]) == "")
  }

  func message(file: String) -> String {
    do throws(SettingsError) { _ = try settings(file: file) } catch { return error.message }
    return ""
  }

  @Test func `a name with two values in the file is refused with both lines`() {
    #expect(
      message(file: "listen = a:1\n\n# twice\nlisten = b:2")
        == "Configuration line 4: listen is set already on line 1, to another value; one is accepted.")
  }

  @Test func `a line that was added twice counts once`() throws {
    #expect(try settings(file: "listen = a:1\ncalendar_folders = /a\nlisten=a:1 \n")["listen"] == "a:1")
    #expect(message(file: "listen = a:1\nlisten = a:1\nlisten = b:2").contains("line 3"))
  }

  @Test func `files of other systems are read: CRLF, and a byte order mark`() throws {
    let file = "\u{FEFF}# where\r\nlisten = c:3\r\n\r\ncalendar_folders = /a\r\n"
    let settings = try settings(file: file)
    #expect(settings["listen"] == "c:3")
    #expect(settings["calendar_folders"] == "/a")
    #expect(message(file: "\r\n\r\nlistne = x\r\n").contains("line 3: unknown name \"listne\""))
    #expect(message(file: "listen = a:1\rcalendar_folders = /b").contains("control characters"))
  }

  @Test(arguments: ["listen = a:1 # door", "listen = a:1\t# door", "listen = # door", "listen=#"])
  func `a comment behind a value is refused, and never becomes part of it`(line: String) {
    #expect(message(file: line).contains("a comment needs a line of its own"))
  }

  @Test func `a value may hold what looks like syntax`() throws {
    #expect(try settings(file: "calendar_folders = /a#b=c:/d e")["calendar_folders"] == "/a#b=c:/d e")
  }

  @Test(arguments: [
    ("", []), (" ", []), ("a", ["a"]), ("a,b", ["a", "b"]), (" a ,\tb ", ["a", "b"]), ("a,,b", ["a", "", "b"]),
  ])
  func `a list has commas between its items, and spaces around them do not count`(
    value: String, expected: [String]
  ) throws {
    #expect(try Setting.list(value, of: "names") == expected)
    #expect(try settings(["--calendar-folders", value]).list("calendar_folders") == expected)
  }

  @Test(arguments: ["a b", "a, b c", "a\tb", "10.0.0.0 /8"])
  func `a list whose commas were forgotten is refused and not cut`(value: String) {
    let message = #expect(throws: SettingsError.self) { try Setting.list(value, of: "names") }?.message
    #expect(message?.hasPrefix("names: \"") == true && message?.contains("commas") == true)
  }

  @Test func `words and options are told apart`() throws {
    let accepted = [Option("name", "NAME", help: ""), Option("demo", help: "")]
    let arguments = try Arguments(["create", "--name", "-", "--demo", "--", "--name"], accepted: accepted)
    #expect(arguments.words == ["create", "--name"])
    #expect(arguments["name"] == "-")
    #expect(arguments.has("demo"))
    #expect(throws: SettingsError.self) { try Arguments(["--demo=x"], accepted: accepted) }
  }

  @Test(arguments: [
    ("serv", "serve"), ("sevre", "serve"), ("opne", "open"), ("status", "status"), ("xyz", nil), ("", nil),
  ])
  func `only a near name is suggested`(text: String, expected: String?) {
    #expect(suggestion(for: text, among: ["serve", "open", "status"]) == expected)
  }
}
