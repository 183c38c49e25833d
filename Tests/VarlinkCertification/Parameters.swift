import Varlink

/// The values that the certification hands back and forth; `client_id` and the like are the interface's
/// names.
struct Step<Value: Codable & Equatable & Sendable>: Codable, Equatable, Sendable {
  var clientID: String
  var value: Value

  /// The parameters' own names stand beside `client_id`.
  init(clientID: String, value: Value) {
    self.clientID = clientID
    self.value = value
  }

  private enum Key: String, CodingKey {
    case clientID = "client_id"
  }

  init(from decoder: any Decoder) throws {
    clientID = try decoder.container(keyedBy: Key.self).decode(String.self, forKey: .clientID)
    value = try Value(from: decoder)
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(clientID, forKey: .clientID)
    try value.encode(to: encoder)
  }
}

struct ClientID: Codable, Equatable, Sendable {
  var client_id: String
}

struct BoolValue: Codable, Equatable, Sendable { var bool = true }
struct IntValue: Codable, Equatable, Sendable { var int = 1 }
struct FloatValue: Codable, Equatable, Sendable { var float = 1.0 }
struct StringValue: Codable, Equatable, Sendable { var string = "ping" }

struct FourValues: Codable, Equatable, Sendable {
  var bool = false
  var int = 2
  var float = Double.pi
  var string = "a lot of string"
}

struct StructValue: Codable, Equatable, Sendable { var `struct` = FourValues() }
struct MapValue: Codable, Equatable, Sendable { var map = ["foo": "Foo", "bar": "Bar"] }

struct SetValue: Codable, Equatable, Sendable {
  var set: [String: NoParameters] = ["one": NoParameters(), "two": NoParameters(), "three": NoParameters()]
}

struct MyTypeValue: Codable, Equatable, Sendable { var mytype = MyType() }
struct Replies: Codable, Equatable, Sendable {
  var last_more_replies = (1...10).map { "Reply number \($0)" }
}
struct AllOK: Codable, Equatable, Sendable { var all_ok = true }

struct MyType: Codable, Equatable, Sendable {
  enum Choice: String, Codable, Sendable { case one, two, three }
  struct Pair: Codable, Equatable, Sendable {
    var first = 1
    var second = "2"
  }
  struct Object: Codable, Equatable, Sendable {
    var method = "org.varlink.certification.Test09"
    var parameters = MapValue()
  }
  enum Word: String, Codable, Sendable { case foo, bar, baz }
  struct Anonymous: Codable, Equatable, Sendable {
    var foo = true
    var bar = false
  }
  struct Interface: Codable, Equatable, Sendable {
    var foo: [[String: Word]?]? = [nil, ["foo": .foo, "bar": .bar], nil, ["one": .foo, "two": .bar]]
    var anon = Anonymous()
  }

  var object = Object()
  var `enum` = Choice.two
  var `struct` = Pair()
  var array = ["one", "two", "three"]
  var dictionary = ["foo": "Foo", "bar": "Bar"]
  var stringset = SetValue().set
  var nullable: String?
  var nullable_array_struct: [Pair]?
  var interface = Interface()
}
