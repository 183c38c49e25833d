import GRDB

/// The tables, and the migrations to later versions.
///
/// `PRAGMA user_version` is the version of a file's tables. A released migration never changes; new ones are appended.
/// A file of a later version belongs to a newer eggd, one before ``oldest`` to an eggd that no longer exists; neither
/// is touched.
package struct Schema: Sendable {
  /// Migration n makes version ``first`` + n of the version before it.
  package var migrations: [String]

  /// Of this eggd by default.
  package init(migrations: [String] = Self.migrations) { self.migrations = migrations }

  /// 13: calls by a wrong clock; commands that eggd was not told to run go. 14: leads, and days on which alarms keep
  /// quiet. 15: snoozes until a time of day; alarms that go by themselves. 16: rings that nobody answers. 17: lists by
  /// label and by due are sorted.
  package static let migrations = [
    """
    \(add("calledAt INTEGER", "wrongUntil INTEGER", to: "alarm"))
    CREATE INDEX alarm_interval ON alarm (number) WHERE interval IS NOT NULL;
    \(forgetUnknownCommands)
    DROP TABLE approved_command;
    """,
    """
    \(add("leads TEXT", "skips TEXT", "exceptOn TEXT", "onlyOn TEXT", "ahead INTEGER", to: "alarm"))
    \(add("ahead INTEGER", to: "occurrence"))
    CREATE INDEX alarm_days_off ON alarm (number) WHERE exceptOn IS NOT NULL OR onlyOn IS NOT NULL;
    CREATE TABLE days_off (
      name TEXT PRIMARY KEY,
      days TEXT NOT NULL
    ) STRICT;
    CREATE TABLE days_off_image (
      holder INTEGER NOT NULL,
      side INTEGER NOT NULL,
      name TEXT NOT NULL,
      days TEXT NOT NULL,
      PRIMARY KEY (holder, side, name)
    ) STRICT, WITHOUT ROWID;
    """,
    """
    \(add("civil TEXT", "zone TEXT", "zoneDue INTEGER", to: "occurrence"))
    ALTER TABLE schedule ADD COLUMN ran INTEGER NOT NULL DEFAULT 0;
    CREATE TABLE answered (
      alarm INTEGER PRIMARY KEY,
      since INTEGER NOT NULL,
      at INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE cleared (
      place INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE
    ) STRICT;
    """,
    """
    \(add("unansweredAfter INTEGER", "runUnanswered TEXT", to: "alarm"))
    \(add("unansweredClock INTEGER", "unansweredDue INTEGER", to: "occurrence"))
    CREATE INDEX occurrence_unanswered ON occurrence (unansweredClock, unansweredDue, alarm)
      WHERE unansweredDue IS NOT NULL;
    """,
    """
    DROP INDEX IF EXISTS alarm_label;
    DROP INDEX IF EXISTS alarm_group_due;
    """,
  ]

  /// To the table and its images.
  private static func add(_ columns: String..., to table: String) -> String {
    [table, table + "_image"].flatMap { table in columns.map { "ALTER TABLE \(table) ADD COLUMN \($0);" } }
      .joined(separator: "\n")
  }

  /// Up to version 12, a command ran only if `approved_command` had it.
  static let forgetUnknownCommands = ["alarm", "alarm_image"].map { table in
    """
    UPDATE \(table) SET run = NULL WHERE run IS NOT NULL AND NOT EXISTS (
      SELECT 1 FROM approved_command WHERE alarmID = \(table).id AND command = \(table).run);
    """
  }.joined(separator: "\n")

  /// `PRAGMA application_id`: "eggd".
  static let applicationID = 0x6567_6764
  /// The version that ``tables`` makes.
  static let first = 12
  /// The rows of such a file are copied into a new one, see ``Version11``.
  static let oldest = 11

  var version: Int { Self.first + migrations.count }

  /// Makes the tables in an empty database.
  func create(in database: Database) throws {
    try database.execute(sql: Self.definitions)
    try Self.createImages(of: "alarm", with: ["place"], key: "place", in: database)
    try Self.createImages(of: "occurrence", with: ["place"], key: "place, id", in: database)
    try Self.createImages(of: "alarm_group", with: [], key: "id", in: database)
    try migrate(database, from: Self.first)
    try database.execute(sql: "PRAGMA application_id = \(Self.applicationID)")
  }

  /// Runs the missing migrations in the caller's transaction.
  ///
  /// - Parameter version: At least ``first``.
  func migrate(_ database: Database, from version: Int) throws {
    for migration in migrations[(version - Self.first)...] { try database.execute(sql: migration) }
    try database.execute(sql: "PRAGMA user_version = \(self.version)")
  }

  /// An image has its table's columns under the same names, without the constraints. `place` is an alarm's number, or its
  /// rank in an import.
  private static func createImages(
    of table: String, with more: [String], key: String, in database: Database
  ) throws {
    let rows = try Row.fetchAll(
      database, sql: "SELECT name, type FROM pragma_table_info(?) ORDER BY cid", arguments: [table])
    let own = (["holder", "side"] + more).map { "\($0) INTEGER NOT NULL" }
    let columns = own + rows.map { "\"\(text($0, 0) ?? "")\" \(text($0, 1) ?? "")" }
    try database.execute(
      sql: """
        CREATE TABLE \(table)_image (\(columns.joined(separator: ", ")), PRIMARY KEY (holder, side, \(key)))
          STRICT, WITHOUT ROWID
        """)
  }

  /// All moments are µs. `clock` names the clock of `due`: 0 for the wall clock, else a row of `boot`.
  ///
  /// `alarm`: by `kind` it has `span` (in), `civil`, `zone` and `floats` (at), `instant` (at), or one of `calendarEvent`,
  /// `interval` and `rule` (every), which elapses from `beginsAt` on. `zoneDue` is the past moment that a zone change
  /// gave it; `pausedDue` is what a recurring alarm waited for when it was paused; `doneClock` and `doneDue` are what a
  /// one-shot waited for when it was marked done. `"group"` is the key of a row of `alarm_group`. `sound` is `none`, a
  /// name of the sound theme or a path; NULL for eggd's usual sound. `wake` is 1 where the machine wakes from suspend.
  /// `calledAt` is when the call came that gave it its timing. `wrongUntil` is the key up to which its occurrences say
  /// nothing about its next one, because the clock was ahead.
  ///
  /// `leads`, `skips`, `exceptOn` and `onlyOn` are lists, one element a line (skips: with blanks). `ahead` is how much later
  /// than `due` (or `doneDue`, `remaining`) the moment is that it is a lead of; NULL for none. `days_off` has calendars
  /// of days.
  ///
  /// `run` and `runUnanswered` are commands of an alarm: whoever can write the file can run commands.
  ///
  /// A snooze until a time of day has `occurrence.civil` and `zone`, which is NULL for the machine's. `zoneDue` is as in
  /// `alarm`.
  ///
  /// While a ring waits for an answer, `occurrence.unansweredDue` is when it counts as unanswered, on the clock that
  /// `unansweredClock` names.
  ///
  /// `schedule.ran` is how long eggd has run while it had alarms to delete by itself, `answered.since` what it was when an
  /// alarm was first found over and answered, `answered.at` when it was answered. `cleared` has the identities of those
  /// that it deleted.
  ///
  /// `occurrence.hooks` has a line for each command that it ran. A trigger deletes an alarm's occurrences, because other
  /// programs do not enable foreign_keys. It keeps what rang or was missed in `history`, where `place` counts deletions
  /// up: that bounds the table without counting its rows.
  ///
  /// `zone` has the digest of the data by which each zone's alarms were resolved, `schedule` that of the machine's
  /// zone. An empty digest is unknown. `synced` has the last mark that each synchronised calendar has set.
  ///
  /// `undo` has a row for each change that can be undone, or was: then `isUndone` is 1. Its key is the holder of its
  /// images: the alarms, occurrences and groups before (side 0) and after (side 1) the change. An import stages its
  /// alarms as images too, under a negative holder.
  private static let definitions = """
    CREATE TABLE alarm (
      number INTEGER PRIMARY KEY AUTOINCREMENT,
      id TEXT NOT NULL UNIQUE,
      label TEXT,
      category TEXT NOT NULL DEFAULT 'other',
      eggs INTEGER NOT NULL DEFAULT 1,
      "group" TEXT,
      position INTEGER NOT NULL,
      summary TEXT,
      body TEXT,
      icon TEXT,
      kind TEXT NOT NULL,
      span INTEGER,
      instant INTEGER,
      civil TEXT,
      zone TEXT,
      floats INTEGER NOT NULL DEFAULT 0,
      calendarEvent TEXT,
      ifMissed TEXT,
      until INTEGER,
      count INTEGER,
      expression TEXT NOT NULL,
      forcedKind TEXT,
      readingZone TEXT NOT NULL,
      state TEXT NOT NULL DEFAULT 'scheduled',
      overAt INTEGER,
      remaining INTEGER,
      key TEXT,
      keyedRequest TEXT,
      createdAt INTEGER NOT NULL,
      modifiedAt INTEGER,
      doneAt INTEGER,
      clock INTEGER NOT NULL DEFAULT 0,
      due INTEGER,
      zoneDue INTEGER,
      pausedDue INTEGER,
      anniversary TEXT,
      doneClock INTEGER,
      doneDue INTEGER,
      interval TEXT,
      beginsAt INTEGER,
      sound TEXT,
      note TEXT,
      insist INTEGER,
      run TEXT,
      wake INTEGER,
      rule TEXT
    ) STRICT;
    CREATE INDEX alarm_due ON alarm (clock, due, number) WHERE due IS NOT NULL;
    CREATE INDEX alarm_position ON alarm (position, number);
    CREATE UNIQUE INDEX alarm_key ON alarm (key) WHERE key IS NOT NULL;
    CREATE INDEX alarm_zone ON alarm (floats, zone, number) WHERE zone IS NOT NULL AND due IS NOT NULL;
    CREATE INDEX alarm_in_group ON alarm ("group", position, number, doneAt, eggs) WHERE "group" IS NOT NULL;
    CREATE INDEX alarm_group_due ON alarm ("group", clock, due) WHERE "group" IS NOT NULL AND due IS NOT NULL;
    CREATE INDEX alarm_category ON alarm (category, position, number, eggs);
    CREATE INDEX alarm_done_clock ON alarm (doneClock) WHERE doneDue IS NOT NULL;
    CREATE INDEX alarm_label ON alarm (label COLLATE NOCASE, number);
    CREATE INDEX alarm_wake ON alarm (clock, due) WHERE wake = 1 AND due IS NOT NULL;

    CREATE TABLE occurrence (
      id INTEGER PRIMARY KEY,
      alarm INTEGER NOT NULL,
      dueAt INTEGER NOT NULL,
      outcome TEXT NOT NULL,
      missedCount INTEGER,
      firedAt INTEGER,
      journaledAt INTEGER,
      shownAt INTEGER,
      dismissedAt INTEGER,
      snoozedUntil INTEGER,
      clock INTEGER NOT NULL DEFAULT 0,
      due INTEGER,
      lateness INTEGER,
      lateReason TEXT,
      bubble INTEGER,
      bubbleServer TEXT,
      hooks TEXT
    ) STRICT;
    CREATE INDEX occurrence_due ON occurrence (clock, due, alarm) WHERE due IS NOT NULL;
    CREATE INDEX occurrence_alarm ON occurrence (alarm, id);
    CREATE INDEX occurrence_ringing ON occurrence (id)
      WHERE outcome = 'rung' AND dismissedAt IS NULL AND snoozedUntil IS NULL;
    CREATE INDEX occurrence_unjournaled ON occurrence (id) WHERE firedAt IS NOT NULL AND journaledAt IS NULL;
    CREATE INDEX occurrence_open ON occurrence (alarm, id) WHERE outcome = 'rung' AND dismissedAt IS NULL;

    CREATE TABLE boot (
      id INTEGER PRIMARY KEY,
      bootID TEXT NOT NULL UNIQUE,
      offset INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE schedule (
      only INTEGER PRIMARY KEY CHECK (only = 1),
      sequence INTEGER NOT NULL,
      zone TEXT,
      zoneDigest TEXT
    ) STRICT;
    INSERT INTO schedule (only, sequence) VALUES (1, 0);
    CREATE TABLE zone (
      name TEXT PRIMARY KEY,
      digest TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE alarm_group (
      id TEXT PRIMARY KEY,
      name TEXT NOT NULL UNIQUE,
      color TEXT,
      icon TEXT,
      createdAt INTEGER NOT NULL,
      modifiedAt INTEGER
    ) STRICT;
    CREATE TABLE synced (
      calendar TEXT PRIMARY KEY,
      mark TEXT NOT NULL
    ) STRICT;

    CREATE TABLE history (
      place INTEGER PRIMARY KEY,
      id INTEGER NOT NULL,
      alarm INTEGER NOT NULL,
      alarmID TEXT NOT NULL,
      label TEXT,
      deletedAt INTEGER NOT NULL,
      dueAt INTEGER NOT NULL,
      outcome TEXT NOT NULL,
      missedCount INTEGER,
      firedAt INTEGER,
      journaledAt INTEGER,
      shownAt INTEGER,
      dismissedAt INTEGER,
      lateness INTEGER,
      lateReason TEXT
    ) STRICT;
    CREATE INDEX history_id ON history (id);
    CREATE INDEX history_alarm ON history (alarm, id);
    CREATE TRIGGER history_is_bounded AFTER INSERT ON history BEGIN
      DELETE FROM history WHERE place <= new.place - 10000;
    END;
    CREATE TRIGGER occurrence_goes_with_alarm AFTER DELETE ON alarm BEGIN
      INSERT INTO history (id, alarm, alarmID, label, deletedAt, dueAt, outcome, missedCount, firedAt,
        journaledAt, shownAt, dismissedAt, lateness, lateReason)
      SELECT id, alarm, old.id, old.label,
        CAST(round((julianday('now') - 2440587.5) * 86400000) AS INTEGER) * 1000, dueAt, outcome,
        missedCount, firedAt, journaledAt, shownAt, dismissedAt, lateness, lateReason
      FROM occurrence WHERE alarm = old.number AND outcome IN ('rung', 'missed') ORDER BY id;
      DELETE FROM occurrence WHERE alarm = old.number;
    END;

    CREATE TABLE approved_command (
      alarmID TEXT NOT NULL,
      command TEXT NOT NULL,
      UNIQUE (alarmID, command)
    ) STRICT;
    CREATE TRIGGER command_is_added_by_eggd BEFORE INSERT ON approved_command BEGIN
      SELECT eggd_approves();
    END;
    CREATE TRIGGER command_is_changed_by_eggd BEFORE UPDATE ON approved_command BEGIN
      SELECT eggd_approves();
    END;

    CREATE TABLE undo (
      holder INTEGER PRIMARY KEY AUTOINCREMENT,
      isUndone INTEGER NOT NULL DEFAULT 0,
      sequence INTEGER NOT NULL,
      change TEXT NOT NULL,
      client TEXT,
      session INTEGER,
      madeAt INTEGER NOT NULL,
      made TEXT NOT NULL DEFAULT '[]',
      count INTEGER NOT NULL,
      label TEXT
    ) STRICT;
    """

  static let tables: KeyValuePairs = [
    "alarm": AlarmColumn.list(), "occurrence": OccurrenceColumn.list(), "alarm_group": GroupColumn.list(),
    "boot": "id, bootID, offset", "synced": "calendar, mark",
    "schedule": "only, sequence, zone, zoneDigest, ran", "zone": "name, digest",
    "answered": "alarm, since, at", "cleared": "place, id",
    "history": HistoryColumn.list(), "days_off": "name, days",
    "undo": "holder, isUndone, sequence, change, client, session, madeAt, made, count, label",
    "alarm_image": "holder, side, place, \(AlarmColumn.list())",
    "occurrence_image": "holder, side, place, \(OccurrenceColumn.list())",
    "alarm_group_image": "holder, side, \(GroupColumn.list())", "days_off_image": "holder, side, name, days",
  ]

  /// Throws SQLITE_CORRUPT if a table or column is missing. A damaged definition can still be valid SQL, to
  /// which SQLite does not object.
  static func check(_ database: Database) throws {
    for (table, columns) in tables {
      do {
        _ = try database.makeStatement(sql: "SELECT \(columns) FROM \(table)")
      } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
        throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: error.message)
      }
    }
  }
}
