PRAGMA user_version = 1;
INSERT INTO memories (number, id, type, confidence, importance, source, kind, session, created_by, valid_from_ms, valid_until_ms, recorded_at_ms, updated_at_ms, superseded_by, last_validated_ms, archived, archive_reason, deleted_at_ms, title, text, content, words) VALUES (1, 'm_old', 'episodic', 1.0, 'normal', NULL, NULL, NULL, NULL, NULL, NULL, 1690000000000, 1690000000000, 'm_full', NULL, 1, 'faded', 1699000000000, 'Old', 'replaced replaced replaced replaced replaced replaced replaced replaced replaced replaced replaced replaced replaced replaced replaced replaced replaced replaced replaced replaced replaced replaced replaced replaced replaced replaced replaced replaced replaced replaced replaced replaced replaced replaced replaced replaced replaced replaced replaced replaced replaced replaced replaced replaced replaced replaced replaced replaced replaced replaced replaced replaced replaced replaced replaced replaced replaced replaced replaced replaced ', '{}', '');
INSERT INTO memories (number, id, type, confidence, importance, source, kind, session, created_by, valid_from_ms, valid_until_ms, recorded_at_ms, updated_at_ms, superseded_by, last_validated_ms, archived, archive_reason, deleted_at_ms, title, text, content, words) VALUES (2, 'm_full', 'tribal', 0.75, 'critical', 'manual', 'finding', 's1', 'ann', 1600000000000, 1800000000000, 1700000000000, 1700000000500, NULL, 1700000000400, 0, NULL, NULL, 'The gateway', 'The gateway drops “one” connection in a thousand.
Second line; with ''quotes''', '{"topic":"réseau","warnings":["retry"],"severity":"critical"}', 'réseau
retry
critical
net
ops');
INSERT INTO links (number, kind, target, start_line, end_line, content_hash) VALUES (2, 'constraint', 'c1', 0, 0, NULL);
INSERT INTO links (number, kind, target, start_line, end_line, content_hash) VALUES (2, 'file', 'src/a.py', 3, 9, 'abc');
INSERT INTO links (number, kind, target, start_line, end_line, content_hash) VALUES (2, 'file', 'src/b.py', 0, 0, NULL);
INSERT INTO links (number, kind, target, start_line, end_line, content_hash) VALUES (2, 'function', 'connect', 0, 0, NULL);
INSERT INTO links (number, kind, target, start_line, end_line, content_hash) VALUES (2, 'pattern', 'p1', 0, 0, NULL);
INSERT INTO links (number, kind, target, start_line, end_line, content_hash) VALUES (2, 'tag', 'net', 0, 0, NULL);
INSERT INTO links (number, kind, target, start_line, end_line, content_hash) VALUES (2, 'tag', 'ops', 0, 0, NULL);
INSERT INTO edges (source, target, relation, strength, evidence, inferred, validated_at_ms) VALUES (2, 1, 'derived_from', 0.5, '[{"kind":"explicit","description":"says so","confidence":0.9,"reference":"m_old"}]', 0, NULL);
INSERT INTO usage (number, last_accessed_ms, access_count) VALUES (2, 1700000000600, 3);
INSERT INTO sessions (id, started_at_ms, last_active_ms, ended_at_ms, summary, state) VALUES ('s1', 1, 2, NULL, 'worked', '{"sent":{"m_full":1}}');
INSERT INTO log (sequence, at_ms, actor, action, number, patch) VALUES (1, 1700000000000, 'sample', 'import', 1, X'ABC66617D46CFF9C1484D145A9053989C9A9290AA38C51061A0391E4F2C149062DD199591AC0810E5A024495C32892D34A7340A91DB5D485F3E145795A22500B501D6A616D668930BC1600');
INSERT INTO log (sequence, at_ms, actor, action, number, patch) VALUES (2, 1700000000000, 'sample', 'import', 2, X'7D944D0E82301085AFD2B861D3188CE24F3C865B3745AA929029028D0B43C241F4009EC39B701267949FB6A0EC9869A6EDEBF7DEEDEFE4132E45ADEC0D9A228B3295E6ACAEEE0A645D3D185E09E457BA1898404D95CE0544D33DECF01410B10469DDB26B5C9C9977D10A85F52696142D4CD9EB994BA1B169B299C9020940A00D283B9C4BEE88BC0A7E91DF3F0BC802FFF01A3475D443824CC44DE3CD0DE36DB86350111EF024D684B0B5A165F9462CDAD7747F3AA38A9B019FE210AE217F7DC4D0DB9BE9238088B5E369E9F71F77A36C6D351BA28E3A4946A0B2963A80B58D807AC37CEDFA0BDF2FDF');
INSERT INTO log (sequence, at_ms, actor, action, number, patch) VALUES (3, 1700000000000, 'sample', 'edge', 2, X'5D93D10A80200C45FFA567895E7AE86B2272463054D42288FEBD3B358A1E37C676EF76767E448F66E3223A2C9472C6B1CE4D78AAA7D2A001F88F068C8BE314C82E425CD7F620727F4C82C4BA1E3A3CAFF39A50AD29023F5F5B453942748DFA6D679081864289AB88CCB14536082066E248AA7CDBEBC642FE7503');
