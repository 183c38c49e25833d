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
    "Members may end with any line break, and white space inside them is free",
    arguments: [
      "interface a.b\nmethod M()->()", "interface a.b\r\nmethod\tM ( ) -> ( )\r\n",
      "interface a.b\u{2028}error E()",
      "\n#x\n interface a.b#y\n#z\nmethod M(a\n:\n?\nint\n,b:[] int)->(\n)\n# end",
      "interface a.b\n\u{FEFF}error E()\n",
      "interface A9.0-b.c--d\ntype T ()", "interface a.b\nerror E(a_b: int, aB1_2: bool)",
      "interface a.b\nerror E(type: int, method: string, error: bool, interface: float)",
    ])
  func layout(_ text: String) throws {
    _ = try Description(parsing: text)
  }

  @Test(
    "A violation of the grammar is refused with its line",
    arguments: [
      ("", 1), ("method M() -> ()", 1), ("interface a\nerror E()", 1), ("interface a.\nerror E()", 1),
      ("interface .a.b\nerror E()", 1), ("interface 1a.b\nerror E()", 1), ("interface a.b-\nerror E()", 1),
      ("interface a.-b\nerror E()", 1), ("interface a.b", 1), ("interface a.b error E()", 1),
      ("interface a.b\nerror E() error F()", 2), ("interface a.b\nerror E", 2),
      ("interface a.b\nerror e()", 2),
      ("interface a.b\nerror E(a)", 2), ("interface a.b\nmethod M() ()", 2),
      ("interface a.b\nmethod M() -> (a)", 2),
      ("interface a.b\nmethod M(a) -> ()", 2), ("interface a.b\ntype T int", 2),
      ("interface a.b\ntype T []T", 2),
      ("interface a.b\n\ntype T (a: ??int)", 3), ("interface a.b\ntype T (a: [int]int)", 2),
      ("interface a.b\ntype T (a: int,)", 2), ("interface a.b\ntype T (a: int b: int)", 2),
      ("interface a.b\ntype T (a, b: int)", 2), ("interface a.b\ntype T (a: int, b)", 2),
      ("interface a.b\ntype T (_a: int)", 2), ("interface a.b\ntype T (a_: int)", 2),
      ("interface a.b\ntype T (a__b: int)", 2), ("interface a.b\ntype T (1a: int)", 2),
      ("interface a.b\ntype T (a: int, a: int)", 2), ("interface a.b\ntype T (a, a)", 2),
      ("interface a.b\ntype T (a: foo)", 2), ("interface a.b\ntype T (a: U)\nerror E()", 2),
      ("interface a.b\ntype T ()\nerror T()", 3), ("interface a.b\nmethod M() -> ()\nmethod M() -> ()", 3),
      ("interface a.b\nfoo", 2), ("interface a.b\ntype T (a: int", 2), ("interface a.b\ntype Tü ()", 2),
    ])
  func refused(_ text: String, line: Int) {
    let error = #expect(throws: InterfaceError.self) { try Description(parsing: text) }
    #expect(error?.line == line)
  }

  @Test("A hundred thousand brackets are refused without recursion")
  func deep() {
    let text = "interface a.b\ntype T (a: \(String(repeating: "[]", count: 100_000))int)"
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

  @Test("An interface that declares another name or is offered twice is refused")
  func names() throws {
    let text = "interface a.b\nerror E()"
    #expect(throws: InterfaceError.self) { try VarlinkInterface(name: "a.c", text: text) { _ in } }
    let interface = try VarlinkInterface(name: "a.b", text: text) { _ in }
    #expect(throws: InterfaceError.self) { try Router([interface, interface], mostValues: 1) }
  }
}
