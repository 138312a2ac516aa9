import Settings

extension MemoryCommand {
  func follow(_ arguments: Arguments, _ words: [String], _ verb: Verb) throws -> Int32 {
    guard !words.isEmpty, arguments.words.count == words.count + 1 else { throw usage(verb) }
    if words[0].split(separator: "/").last == "swift", words.dropFirst().first == "test" {
      throw SettingsError(
        "swift test runs the tests in a process of its own, which is not looked at; accepted is their program, as in "
          + "\(program) \(verb.name) -- .build/debug/AppPackageTests.xctest --testing-library swift-testing.")
    }
    try checkOutputs(arguments, owner: "the program's")
    var run = try ProgramRun(
      Self.arguments.suffix(words.count), name: words[0], self, arguments, isCheck: verb.name == "check")
    return run.run()
  }
}
