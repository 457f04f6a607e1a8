-- oldest program: 0.2.0
-- What proves that a payout's lines respected gates and payee methods (docs/adr/0089-proof-of-gates-and-methods.md).

-- What the payout needed when it was started. Null for payouts from before this migration.
alter table payout_batch add column needs_method boolean;
alter table payout_batch add column needs_tax_cleared boolean;

-- Time at which the line was made, read while its member was locked. Null for lines from before this migration.
alter table payout_item add column made_at timestamptz;
