-- The rows of schedule-v1.db, a frozen file of schema version 1: it has to keep opening for good.
-- Made once: eggd started and stopped on an empty directory, then in that directory
--   sqlite3 schedule.db < schedule-v1.sql && sqlite3 schedule.db "VACUUM INTO 'schedule-v1.db'"
DELETE FROM boot;
INSERT INTO boot (id, bootID, offset) VALUES (4242, 'an-earlier-boot', 1795206870000000);
INSERT INTO alarm (number, id, label, category, eggs, position, summary, body, icon, kind, span, expression,
  forcedKind, readingZone, state, overAt, key, keyedRequest, createdAt, modifiedAt, clock, due)
VALUES
  (3, '00000000-0000-4000-8000-000000000003', 'two soft ones', 'soft', 2, 3145728, NULL, NULL, NULL, 'in',
    390000000, '6m30s', NULL, 'Europe/Berlin', 'scheduled', NULL, 'breakfast', 'request', 1795210470000000, NULL,
    4242, 3990000000),
  (5, '00000000-0000-4000-8000-000000000005', NULL, 'other', 1, 5242880, 'Up!', 'Now.', 'clock', 'in', 5000000,
    '5s', 'in', 'UTC', 'over', 1795210475000100, NULL, NULL, 1795210470000000, 1795210471000000, 0, NULL);
INSERT INTO alarm (number, id, position, kind, civil, zone, floats, expression, readingZone, createdAt, due)
VALUES
  (7, '00000000-0000-4000-8000-000000000007', 7340032, 'at', '2026-12-24 18:00:00.250000', 'Asia/Tokyo', 1,
    '2026-12-24 18:00', 'Asia/Tokyo', 1795210470000000, 1798102800250000);
INSERT INTO occurrence (id, alarm, dueAt, outcome, firedAt, journaledAt, shownAt, lateness, lateReason, bubble,
  bubbleServer)
VALUES (1795210475000100, 5, 1795210475000000, 'rung', 1795210475000100, 1795210475000200, 1795210475000300, 100,
  'busy', 17, ':1.42');
UPDATE sqlite_sequence SET seq = 9 WHERE name = 'alarm';
UPDATE schedule SET sequence = 41;
