-- oldest program: 0.2.0
-- Lists that read a small part of their table (docs/adr/0116-numbers-people-wait-for.md).

-- Order in which a payout's lines are listed: largest amount first. Negative amounts and ids ascend together, so a cursor is
-- one comparison, even among many lines with the same amount. The other columns are included so that a page is selected from
-- the index alone.
-- squawk-ignore require-concurrent-index-creation -- delays payouts, not recording, while the lines are read once
create index payout_item_by_amount on payout_item (publisher_id, batch_id, (-amount_minor), membership_id)
  include (amount_minor, item_id);

-- Finds the few global codes that aren't approved.
-- squawk-ignore require-concurrent-index-creation -- delays changes of codes, not recording, while the codes are read once
create index global_code_unapproved on global_code (account_id) where not is_approved;
