-- oldest program: 0.2.0
-- Time when an invitation's link was mailed to its address. A person who opens a mailed link proves that the address is theirs.

-- Null when the link was shown to the inviting person instead, or is from before this migration.
alter table staff_invitation add column mailed_at timestamptz;
