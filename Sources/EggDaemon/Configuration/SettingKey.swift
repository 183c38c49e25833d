/// The keys of config.toml. Each is named as the option of eggctl or eggd that says the same.
package enum SettingKey: String, CaseIterable, Sendable {
  case snooze
  case title
  case body
  case sound
  case category
  case group
  case insist
  case wake
  case ifMissed = "if-missed"
  case ringWithin = "ring-within"
  case dateFormat = "date-format"
}
