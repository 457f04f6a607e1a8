-- oldest program: 0.2.0
-- The creator code and the group of a rejected request, so that a publisher sees which code its players enter and can check it in
-- that group.
-- squawk-ignore-file constraint-missing-not-valid, prefer-robust-stmts
-- The table is a sample of seven days with at most 50,000 rows per publisher, and no request waits for its rows to be written.

-- sent_code: code of the refused entry, in a form that is safe to show. Null when none was sent, or the body was not read.
-- group_id: null when the group was not known yet.
alter table refused_request
  add column sent_code text collate "C",
  add column group_id text collate "C";
alter table refused_request add constraint refused_request_sent_code_check check (length(sent_code) between 1 and 255);
alter table refused_request add constraint refused_request_group_id_check check (length(group_id) between 1 and 255);
