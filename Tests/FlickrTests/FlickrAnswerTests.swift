import Galleries
import Testing
import Wire

@testable import Flickr

struct FlickrAnswerTests {
  static func read(_ text: String, status: Int = 200) -> Result<JSON, FlickrFault> {
    do throws(FlickrFault) {
      return .success(try FlickrAnswer.read(status: status, body: Array(text.utf8)))
    } catch {
      return .failure(error)
    }
  }

  @Test func `an answer is read with and without what surrounds it`() throws {
    for text in [#"{"a":1}"#, #"jsonFlickrApi({"a":1})"#, "\u{feff} jsonFlickrApi({\"a\":1}) ;\n"] {
      #expect(try Self.read(text).get()["a"]?.whole == 1)
    }
  }

  @Test func `numbers are read as texts, texts within objects, and lists that are not there`() {
    let json: JSON = ["a": "1270", "b": 1270, "c": ["_content": "x"], "d": "x", "e": ["id": "1"], "f": 1.5]
    #expect(json["a"]?.whole == 1270 && json["b"]?.whole == 1270 && json["f"]?.decimal == 1.5)
    #expect(json["c"]?.words == "x" && json["d"]?.words == "x" && json["d"]?.whole == nil)
    #expect(json.list("none").isEmpty && json.list("e").count == 1 && json.list("d").isEmpty)
  }

  @Test(arguments: [(96, "flickr-key"), (98, "flickr-denied"), (99, "flickr-denied"), (100, "flickr-key")])
  func `a key or token that is not taken stops everything, and it is said which`(code: Int, why: String) {
    guard case .failure(let fault) = Self.read(#"{"stat":"fail","code":"\#(code)","message":"no"}"#),
      case .denied(let reason) = fault.sourceFault
    else {
      Issue.record("not denied")
      return
    }
    #expect(reason.code == why)
  }

  @Test func `an unavailable Flickr is asked later`() {
    for (text, status) in [
      (#"{"stat":"fail","code":105,"message":"x"}"#, 200), ("<h1>429 Too Many Requests</h1>", 429), ("", 500),
      ("<!DOCTYPE html>", 200), ("x", 503),
    ] {
      guard case .failure(.later) = Self.read(text, status: status) else {
        Issue.record("\(status) \(text)")
        continue
      }
    }
  }

  @Test func `a refusal is about its call alone`() {
    #expect(
      Self.read(#"{"stat":"fail","code":1,"message":"Photoset\nnot found"}"#)
        == .failure(.refused(code: 1, words: "Photoset not found")))
  }

  @Test func `a signature or token that OAuth refuses is denied`() {
    for text in ["oauth_problem=signature_invalid&debug_sbs=GET%26", "oauth_problem=token_rejected", ""] {
      guard case .failure(.denied) = Self.read(text, status: 401) else {
        Issue.record("\(text)")
        continue
      }
    }
  }

  @Test func `what is no answer of Flickr's says so`() {
    for (text, status) in [("{", 200), ("[]", 200), ("", 200), ("{}", 302), ("{}", 404)] {
      guard case .failure(.unreachable) = Self.read(text, status: status) else {
        Issue.record("\(status) \(text)")
        continue
      }
    }
  }
}
