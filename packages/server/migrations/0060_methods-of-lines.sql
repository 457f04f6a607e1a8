-- oldest program: 0.2.0
-- Method that a payout's line is paid with, set when the line is made and never changed, so that a payment file stays as it is
-- (docs/adr/0086-payment-files.md). Null for a line whose creator had no method that could be used then.
-- No constraint refers to the method, because the owner can't lock a table that it can't update.
alter table payout_item add column method_id uuid;
