/// Which version this is: all programs of the package have one, and Docs/openapi.yaml names it.
public let productVersion = "0.1.0"
