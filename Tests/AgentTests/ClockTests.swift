import Agent
import Playback
import SpeakingClock
import Testing
import Wire

struct ClockTests {
  private func json(_ text: String) throws -> JSON { try JSON(parsing: text) }

  @Test func `A message says when and how to speak, and is kept`() throws {
    var state = ClockState()
    #expect(!state.isOn)
    let message = try json(
      #"""
      {"version":1,"at":1780323300,"parts":["2","15","PM"],"volume":35,"on":true,"muted_until":0,
       "settings":{"every":30,"hours":24,"language":"de","quarters":"to","strokes":"hours","oclock":true,
        "style":"bells","quiet":{"from":"22:00","to":"07:30"},"voice":"anna","zone":"Europe/Berlin"},
       "voice":{"id":"anna","version":"ab12"}}
      """#)
    let (order, faults) = state.take(message)
    #expect(faults == [] && order?.at == 1_780_323_300 && order?.parts.map(\.name) == ["2", "15", "PM"])
    let settings = state.form.settings
    #expect(settings.every == 30 && settings.isTwentyFourHours && settings.language == .german)
    #expect(settings.quarters == .to && settings.strokes == .hours && settings.saysOClock && settings.style == .bells)
    #expect(settings.quiet == QuietHours(from: 1_320, to: 450) && state.form.zone == "Europe/Berlin")
    #expect(state.voice?.id == "anna" && state.volume == 35 && state.isOn)
    state.last = 1_780_323_300
    #expect(ClockState(state.json) == state)
    // A later message leaves as it was what it does not name.
    _ = state.take(try json(#"{"volume":40}"#))
    #expect(state.volume == 40 && state.form.settings.every == 30 && state.isOn)
  }

  @Test(arguments: [
    #"{"settings":{"every":7}}"#, #"{"settings":{"quiet":"night"}}"#, #"{"settings":{"language":"fr"}}"#,
    #"{"settings":[1]}"#, #"{"volume":101}"#, #"{"volume":"loud"}"#, #"{"voice":{"id":"../up","version":"1"}}"#,
    #"{"at":1780323300,"parts":[]}"#, #"{"at":"soon","parts":["2"]}"#, #"{"now":true,"parts":["noon"]}"#,
    #"{"at":-9223372036854775807,"parts":["2"]}"#, #"{"at":9223372036854775807,"parts":["2"]}"#,
    #"{"at":0,"parts":["2"]}"#, #"{"muted_until":9223372036854775807}"#, #"{"muted_until":-1}"#,
  ])
  func `What is wrong in a message is told and changes nothing`(text: String) throws {
    var state = ClockState()
    let before = state
    let (order, faults) = state.take(try json(text))
    #expect(faults.count >= 1 && state == before && order?.at == nil)
  }

  @Test func `A damaged state is a new one`() throws {
    for text in ["[]", "{}", #"{"settings":3,"volume":-4,"last":"x"}"#] {
      #expect(ClockState(try json(text)) == ClockState())
    }
  }

  @Test func `An answer of the hub ends with its length, or with the connection`() throws {
    let head = "HTTP/1.1 200 OK\r\nContent-Type: audio/wav\r\n"
    #expect(HubAnswer(Array((head + "Content-Length: 3\r\n\r\nab").utf8), isWhole: false) == nil)
    #expect(HubAnswer(Array((head + "Content-Length: 3\r\n\r\nabcd").utf8), isWhole: false)?.body == Array("abc".utf8))
    #expect(HubAnswer(Array((head + "\r\nab").utf8), isWhole: false) == nil)
    #expect(HubAnswer(Array((head + "\r\nab").utf8), isWhole: true)?.body == Array("ab".utf8))
    #expect(HubAnswer(Array("HTTP/1.0 404 Not Found\r\nContent-Length: 0\r\n\r\n".utf8), isWhole: false)?.status == 404)
    for broken in ["", "HTTP/1.1 200", "SSH-2.0\r\n\r\n", "HTTP/1.1 9 x\r\n\r\n", head + "Content-Length: -1\r\n\r\n"] {
      #expect(HubAnswer(Array(broken.utf8), isWhole: false) == nil)
    }
  }

  @Test func `A report is refused by a hub, and not by a proxy that stands before it`() {
    let refusal = Array(#"{"code":40401,"error":"There is nothing here.","help":""}"#.utf8)
    #expect(HubAnswer.isRefusal(404, refusal) && HubAnswer.isRefusal(400, refusal))
    #expect(!HubAnswer.isRefusal(503, refusal) && !HubAnswer.isRefusal(200, refusal))
    for answer in ["404 page not found\n", "", "<html>404 Not Found</html>", #"{"code":"404"}"#, "[404]"] {
      #expect(!HubAnswer.isRefusal(404, Array(answer.utf8)))
    }
  }
}
