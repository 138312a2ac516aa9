import ObjectStore
import Testing

/// The examples of "Authenticating Requests: Using the Authorization Header" and "… Using Query Parameters" (Amazon S3
/// API Reference). Tests/Hub/test_bucket.py has botocore compute ours again.
struct RequestSignatureTests {
  static let signature = RequestSignature(
    credentials: Credentials(key: "AKIAIOSFODNN7EXAMPLE", secret: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"),
    region: "us-east-1")
  static let host = "examplebucket.s3.amazonaws.com"
  /// 2013-05-24T00:00:00Z.
  static let now = 1_369_353_600.0
  static let nothing = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

  func authorization(_ fields: [(name: String, value: String)]) -> String {
    fields.first { $0.name == "Authorization" }?.value ?? ""
  }

  @Test func `a request for a part of an object`() {
    let fields = Self.signature.fields(
      "GET", host: Self.host, path: "/test.txt", fields: [("Range", "bytes=0-9")], payload: Self.nothing,
      now: Self.now)
    #expect(
      authorization(fields)
        == "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request, "
        + "SignedHeaders=host;range;x-amz-content-sha256;x-amz-date, "
        + "Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41")
    #expect(fields.contains { $0.name == "x-amz-date" && $0.value == "20130524T000000Z" })
  }

  @Test func `an object that is sent`() {
    let fields = Self.signature.fields(
      "PUT", host: Self.host, path: "/test%24file.text",
      fields: [("Date", "Fri, 24 May 2013 00:00:00 GMT"), ("x-amz-storage-class", "REDUCED_REDUNDANCY")],
      payload: "44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072", now: Self.now)
    #expect(
      authorization(fields).hasSuffix(
        "SignedHeaders=date;host;x-amz-content-sha256;x-amz-date;x-amz-storage-class, "
          + "Signature=98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd"))
  }

  @Test func `queries are sorted and have an equals sign`() {
    let lifecycle = Self.signature.fields(
      "GET", host: Self.host, path: "/", query: [("lifecycle", "")], payload: Self.nothing, now: Self.now)
    #expect(
      authorization(lifecycle).hasSuffix(
        "Signature=fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"))
    let list = Self.signature.fields(
      "GET", host: Self.host, path: "/", query: [("prefix", "J"), ("max-keys", "2")], payload: Self.nothing,
      now: Self.now)
    #expect(
      authorization(list).hasSuffix("Signature=34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"))
  }

  @Test func `an address for anybody`() {
    let query = Self.signature.query(host: Self.host, path: "/test.txt", seconds: 86_400, now: Self.now)
    #expect(
      query
        == "X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2F"
        + "aws4_request&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host"
        + "&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404")
  }

  @Test func `a session's token is signed too`() {
    let lent = RequestSignature(credentials: Credentials(key: "A", secret: "B", token: "C+"), region: "us-east-1")
    let fields = lent.fields("GET", host: Self.host, path: "/", payload: Self.nothing, now: Self.now)
    #expect(authorization(fields).contains(";x-amz-date;x-amz-security-token,"))
    #expect(
      lent.query(host: Self.host, path: "/", seconds: 60, now: Self.now).contains("&X-Amz-Security-Token=C%2B&"))
  }
}
