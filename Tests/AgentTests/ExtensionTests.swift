import Agent
import Testing
import Wire

struct ExtensionTests {
  @Test(arguments: [
    (#"{"content": {"title": "a"}}"#, #"{"title":"a"}"#),
    (" \n{\"content\":\n {\"title\": \"a}{\", \"later\": [1]}}\n\n", #"{"title":"a}{","later":[1]}"#),
    (
      #"{"content": {"attachments": [{"id": "a", "file": "b.png"}]}}"#,
      #"{"attachments":[{"id":"a","file":"b.png"}]}"#
    ),
  ])
  func `an answer is one object with a content`(output: String, content: String) throws {
    #expect(try ExtensionAnswer.content(Array(output.utf8)).text == content)
  }

  @Test(arguments: [
    ("", ExtensionFault.empty), (" \r\n\t", .empty), (#"{"content": {}}"#, .empty),
    (#"{"content": {"title": "", "user_info": {"a": 1}}}"#, .empty),
    (#"{"content": {"silent": true}}"#, .empty), (#"{"content": {"title": "a", "silent": true}}"#, .empty),
    (#"{"content": {"title": "a"}} {"content": {"title": "b"}}"#, .twice),
    ("{\"content\": {\"title\": \"\\\"}\"}}\n{}", .twice),
    (#"{"content": {"title": "a"}"#, .garbage), ("hello", .garbage), ("[]", .garbage), (#"{"title": "a"}"#, .garbage),
    (#"{"content": {"title": "a"}} and more"#, .garbage), (#"{"content": {"title": 7}}"#, .garbage),
    (#"{"content": {"attachments": [{"id": "a", "file": "b", "url": "https://c.example/d"}]}}"#, .garbage),
    (#"{"content": {"title": "a", "user_info": {"b": "\#(String(repeating: "x", count: 16_384))"}}}"#, .tooLarge),
  ])
  func `any other answer has its fault`(output: String, fault: ExtensionFault) {
    #expect(throws: fault) { try ExtensionAnswer.content(Array(output.utf8)) }
  }

  @Test(arguments: [
    ("new_data", SilentWork.Result.newData), (" no_data \nwords", .noData), ("failed\r\n", .failed), ("", .noAnswer),
    ("new_data!", .noAnswer), ("words\nnew_data", .noAnswer),
  ])
  func `the answer to a silent one is its first line`(output: String, result: SilentWork.Result) {
    #expect(SilentWork.result(Array(output.utf8)) == result)
  }

  @Test func `a silent one has thirty seconds at most`() {
    #expect([nil, 7, 31, 0.5].map { SilentWork(seconds: $0, now: 0).seconds } == [30, 7, 30, 1])
    #expect(SilentWork(now: 0).note(.newData, took: 1.234) == "new_data:1.2/30")
  }
}
