-- The tables as version 2 made them, and rows of each kind. Makes schedule-v2.db:
--   sqlite3 schedule-v2.db < schedule-v2.sql
PRAGMA journal_mode = WAL;
PRAGMA user_version = 2;
PRAGMA application_id = 1701275492;
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
  due INTEGER
) STRICT;
CREATE INDEX alarm_due ON alarm (clock, due, number) WHERE due IS NOT NULL;
CREATE INDEX alarm_position ON alarm (position, number);
CREATE UNIQUE INDEX alarm_key ON alarm (key) WHERE key IS NOT NULL;

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
  bubbleServer TEXT
) STRICT;
CREATE INDEX occurrence_due ON occurrence (clock, due, alarm) WHERE due IS NOT NULL;
CREATE INDEX occurrence_alarm ON occurrence (alarm, id);
CREATE INDEX occurrence_ringing ON occurrence (id)
  WHERE outcome = 'rung' AND dismissedAt IS NULL AND snoozedUntil IS NULL;
CREATE INDEX occurrence_unjournaled ON occurrence (id) WHERE firedAt IS NOT NULL AND journaledAt IS NULL;
CREATE TRIGGER occurrence_goes_with_alarm AFTER DELETE ON alarm BEGIN
  DELETE FROM occurrence WHERE alarm = old.number;
END;

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
ALTER TABLE alarm ADD COLUMN zoneDue INTEGER;
CREATE INDEX alarm_zone ON alarm (floats, zone, number) WHERE zone IS NOT NULL AND due IS NOT NULL;
INSERT INTO boot (id, bootID, offset) VALUES (7, 'an earlier boot', 1795210000000000);
INSERT INTO zone (name, digest) VALUES ('Europe/Berlin', 'an earlier one');
UPDATE schedule SET sequence = 77, zone = 'UTC', zoneDigest = 'an earlier one';
-- 2: a countdown on the clock of an earlier boot, 3: at a time of a zone, 4: floating, 5: rung, snoozed, 6: rung and
-- dismissed, with a key
INSERT INTO alarm (number, id, label, category, eggs, position, kind, span, expression, readingZone, createdAt, clock, due)
  VALUES (2, '00000000-0000-4000-8000-000000000002', 'two', 'soft', 2, 2097152, 'in', 390000000, '6m30s', 'UTC', 1795210470000000, 7, 860000000);
INSERT INTO alarm (number, id, position, kind, civil, zone, floats, expression, readingZone, createdAt, modifiedAt, due)
  VALUES (3, '00000000-0000-4000-8000-000000000003', 3145728, 'at', '2026-12-24 18:00:00', 'Europe/Berlin', 0, '2026-12-24 18:00 Europe/Berlin', 'Europe/Berlin', 1795210470000000, 1795210480000000, 1798131600000000);
INSERT INTO alarm (number, id, position, summary, body, icon, kind, civil, zone, floats, expression, readingZone, createdAt, due)
  VALUES (4, '00000000-0000-4000-8000-000000000004', 1048576, 'Up!', 'Now.', 'clock', 'at', '2026-12-24 07:30:00.250000', 'UTC', 1, '2026-12-24 07:30:00.25', 'UTC', 1795210470000000, 1798097400250000);
INSERT INTO alarm (number, id, position, kind, span, expression, readingZone, createdAt)
  VALUES (5, '00000000-0000-4000-8000-000000000005', 5242880, 'in', 5000000, '5s', 'UTC', 1795210470000000);
INSERT INTO alarm (number, id, position, kind, instant, expression, readingZone, createdAt, state, overAt, key, keyedRequest)
  VALUES (6, '00000000-0000-4000-8000-000000000006', 6291456, 'at', 1795210480000000, '@1795210480', 'UTC', 1795210470000000, 'over', 1795210480000100, 'breakfast', 'request');
INSERT INTO occurrence (id, alarm, dueAt, outcome, firedAt, lateness, snoozedUntil, clock, due)
  VALUES (1795210475000100, 5, 1795210475000000, 'rung', 1795210475000100, 100, 1795210775000000, 7, 775000000);
INSERT INTO occurrence (id, alarm, dueAt, outcome, firedAt, journaledAt, shownAt, dismissedAt, lateness, lateReason, bubble, bubbleServer)
  VALUES (1795210480000100, 6, 1795210480000000, 'rung', 1795210480000100, 1795210480000200, 1795210480000300, 1795210490000000, 100, 'busy', 17, ':1.42');
UPDATE sqlite_sequence SET seq = 8 WHERE name = 'alarm';
