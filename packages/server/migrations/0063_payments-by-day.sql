-- oldest program: 0.2.0
-- Finds the few rows of a member's days that something happened to, so that a payout reads the other rows as sums of
-- days (docs/adr/0084-fast-first-previews.md).
-- squawk-ignore require-concurrent-index-creation -- delays payouts and reversals, not recording, while payments are read once
create index payment_by_member on payment (publisher_id, membership_id, transaction_date);
