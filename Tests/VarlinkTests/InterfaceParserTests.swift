import EggTestSupport
import Testing

@testable import Varlink

@Suite struct InterfaceParserTests {
  private typealias Description = InterfaceDescription

  @Test("Every type of UAPI.20 is read")
  func types() throws {
    let text = """
      # About it
      interface org.example.x-1.2y # behind it
      type Other (a: int)
      type My (
         example_bool: bool, example_int: int, example_float: float, example_string: string,
         example_object: object, example_any: any,
         example_enum: (one, two, three),   # about a field
         example_struct: (first: int, second: string),
         example_array: []string, example_dictionary: [string]string, example_stringset: [string](),
         example_nullable: ?string, example_nullable_array_struct: ?[](first: int, second: string),
         example_other_type: Other
      )
      type Choice (one)
      method M(a: []?[string][]Other) -> ()
      error E ( )
      """
    let description = try Description(parsing: text)
    let pair: [Description.Field] = [.init(name: "first", type: .int), .init(name: "second", type: .string)]
    #expect(description.name == "org.example.x-1.2y")
    let expected: [Description.Field] = [
      .init(name: "example_bool", type: .bool), .init(name: "example_int", type: .int),
      .init(name: "example_float", type: .float), .init(name: "example_string", type: .string),
      .init(name: "example_object", type: .object), .init(name: "example_any", type: .any),
      .init(name: "example_enum", type: .enumeration(["one", "two", "three"])),
      .init(name: "example_struct", type: .structure(pair)),
      .init(name: "example_array", type: .array(.string)),
      .init(name: "example_dictionary", type: .map(.string)),
      .init(name: "example_stringset", type: .map(.structure([]))),
      .init(name: "example_nullable", type: .nullable(.string)),
      .init(name: "example_nullable_array_struct", type: .nullable(.array(.structure(pair)))),
      .init(name: "example_other_type", type: .named("Other")),
    ]
    #expect(description.types["My"] == .structure(expected))
    #expect(description.types["Choice"] == .enumeration(["one"]))
    #expect(
      description.methods["M"]?.input == [
        .init(name: "a", type: .array(.nullable(.map(.array(.named("Other"))))))
      ])
    #expect(description.methods["M"]?.output == [])
    #expect(description.errors == ["E": []])
    #expect(description.unportableMembers == ["Choice", "M", "My"])
  }

  @Test(
    "A text that is not well-formed is refused",
    arguments: [
      "", "method M() -> ()", "interface", "interface a.b\nerror E", "interface a.b\nmethod M() ()",
      "interface a.b\nmethod M() -> (a)", "interface a.b\ntype T int", "interface a.b\ntype T (a: [int]int)",
      "interface a.b\ntype T (a: int,)", "interface a.b\ntype T (a: int b: int)",
      "interface a.b\ntype T (a, b: int)", "interface a.b\nfoo", "interface a.b\ntype T (a: int",
    ])
  func refused(_ text: String) {
    #expect(throws: InterfaceError.self) { try Description(parsing: text) }
  }

  @Test("The service's and the certification's texts are read, and the service's is portable")
  func known() throws {
    let service = try Description(parsing: ServiceIdentity.interfaceText)
    #expect(service.methods.keys.sorted() == ["GetInfo", "GetInterfaceDescription"])
    #expect(
      service.errors.keys.sorted() == [
        "ExpectedMore", "InterfaceNotFound", "InvalidParameter", "MethodNotFound", "MethodNotImplemented",
        "PermissionDenied",
      ])
    #expect(service.unportableMembers == [])
    let certification = try Description(parsing: certificationText())
    #expect(certification.methods.count == 13)
    #expect(certification.unportableMembers == ["Interface", "MyType", "Test08", "Test09"])
  }
}
