import Alarms
import EggTestSupport
import Testing
import Varlink

@testable import EggProtocol

@Suite("The interface text and the types agree")
struct InterfaceAgreementTests {
  let interface: InterfaceDescription

  init() throws { interface = try InterfaceDescription(parsing: ScheduleInterface.text) }

  static let methods: [any ScheduleMethod.Type] = [
    ScheduleCall.self, ShowCall.self, ListCall.self, EditCall.self, DeleteCall.self,
    SnoozeCall.self, ResolveCall.self, SkipCall.self, PauseCall.self, ResumeCall.self, ExtendCall.self,
    DismissCall.self, AgainCall.self, SubscribeCall.self, HistoryCall.self, StatusCall.self,
    MarkDoneCall.self, MoveCall.self, UndoCall.self, RedoCall.self, ImportAlarmsCall.self,
    CommitImportCall.self,
    CreateGroupCall.self, EditGroupCall.self, DeleteGroupCall.self, ListGroupsCall.self,
    WaitCall.self, PruneHistoryCall.self, ConfigCall.self, ReloadCall.self, SyncMarkCall.self,
    RelayCall.self,
    ForbidCommandsCall.self, ImportDaysOffCall.self, AddDaysOffCall.self, RenameDaysOffCall.self,
    DeleteDaysOffCall.self, ListDaysOffCall.self,
  ]

  @Test("The text begins with the interface's name and avoids what other parsers reject")
  func portable() {
    #expect(interface.name == ScheduleInterface.name)
    #expect(interface.unportableMembers == [])
  }

  @Test("Every enum ends with other, for values that a later version adds")
  func openEnums() {
    var enums = 0
    for (name, type) in interface.types {
      guard case .enumeration(let values) = type else { continue }
      enums += 1
      #expect(values.last == "other", "\(name)")
    }
    #expect(enums > 10)
  }

  @Test("Each method has a type and each type a method")
  func allMethods() {
    #expect(Set(interface.methods.keys) == Set(Self.methods.map { $0.method }))
  }

  @Test("A call has the declared parameters", arguments: methods.indices)
  func call(index: Int) throws {
    let type = Self.methods[index]
    let method = try #require(interface.methods[type.method])
    #expect(try shape(of: type) == declared(method.input))
  }

  @Test("A reply has the declared parameters", arguments: methods.indices)
  func reply(index: Int) throws {
    let type = Self.methods[index]
    let method = try #require(interface.methods[type.method])
    #expect(try replyShape(of: type) == declared(method.output))
  }

  @Test("An error has the declared parameters")
  func errors() throws {
    for (name, fields) in interface.errors {
      let error = name.prefix(1).lowercased() + name.dropFirst()
      #expect(try ShapeDecoder.shape(ofError: error).sorted == declared(fields), "\(name)")
    }
  }

  private func replyShape<Call: ScheduleMethod>(of type: Call.Type) throws -> ShapeDecoder.Shape {
    try shape(of: Call.Reply.self)
  }

  private func shape<T: Decodable>(of type: T.Type) throws -> ShapeDecoder.Shape {
    try ShapeDecoder.shape(of: type).sorted
  }

  private func declared(_ fields: [InterfaceDescription.Field]) throws -> ShapeDecoder.Shape {
    .structure(
      try fields.map { field in
        if case .nullable(let type) = field.type {
          ShapeDecoder.Field(name: field.name, optional: true, shape: try declared(type))
        } else {
          ShapeDecoder.Field(name: field.name, optional: false, shape: try declared(field.type))
        }
      }
    ).sorted
  }

  private func declared(_ type: InterfaceDescription.ValueType) throws -> ShapeDecoder.Shape {
    switch type {
    case .bool: .bool
    case .int: .int
    case .string: .string
    case .named(let name): try declared(try #require(interface.types[name]))
    case .structure(let fields): try declared(fields)
    case .enumeration(let values): .enumeration(values)
    case .array(let element): .array(try declared(element))
    case .float, .object, .any, .map, .nullable: throw Unexpected()
    }
  }
}
