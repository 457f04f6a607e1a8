-- oldest program: 0.2.0
-- When a link went to the address it is for: then whoever opens it proves that the address is theirs.

-- Null: it was shown to whoever asked for it, or it was made before this.
alter table staff_invitation add column mailed_at timestamptz;
