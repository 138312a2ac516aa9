/// The version of all programs of the package, which Docs/openapi.yaml names too.
public let productVersion = "1.1.6"
