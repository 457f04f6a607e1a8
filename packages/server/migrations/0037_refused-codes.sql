-- oldest program: 0.2.0
-- The creator's code that a refused request was sent with, and the group it was sent for, so that a publisher sees which
-- code its players type and can check it where it was refused.
-- squawk-ignore-file constraint-missing-not-valid, prefer-robust-stmts
-- Seven days of a sample are kept, 50,000 rows of a publisher at most, and nobody waits for a row of them to be written.

-- sent_code: of the entry that was refused, fit to be shown. Null: none was sent, or the request was refused before its body was read.
-- group_id: null where the group was not known yet.
alter table refused_request
  add column sent_code text collate "C",
  add column group_id text collate "C";
alter table refused_request add constraint refused_request_sent_code_check check (length(sent_code) between 1 and 255);
alter table refused_request add constraint refused_request_group_id_check check (length(group_id) between 1 and 255);
