-- oldest program: 0.2.0
-- Payouts of any size, in steps that each hold their locks for a moment (docs/adr/0018-payouts-in-steps.md).

-- Settlement inserts thousands of payments at once, and each was looked up by a plan that may have been made when the
-- tables were empty. No row can be deleted, so its payment can point nowhere; `ledger verify` looks all the same.
alter table payment drop constraint payment_publisher_id_attribution_id_fkey;
revoke delete, truncate on attribution from current_user;

-- Preparing: its rows are being stamped. Cancelling: they are being given back. worked_until is the lease of whoever
-- does so; when it has run out, the next payout command or a worker finishes or undoes the payout.
alter table payout_batch
  drop constraint payout_batch_status_check,
  drop constraint payout_batch_total_minor_check,
  drop constraint payout_batch_member_count_check,
  drop constraint payout_batch_check1,
  add column worked_until timestamptz,
  -- Given back before it was made whole: nobody ever saw it, and it may have no member.
  add column was_undone boolean not null default false,
  add constraint payout_batch_status_check check (status in ('Preparing', 'Created', 'Paid', 'Cancelling', 'Cancelled')),
  add constraint payout_batch_cancelled check ((status in ('Cancelling', 'Cancelled')) = (cancelled_at is not null)),
  add constraint payout_batch_worked_on check ((status in ('Preparing', 'Cancelling')) = (worked_until is not null)),
  add constraint payout_batch_undone check (not was_undone or status in ('Cancelling', 'Cancelled')),
  add constraint payout_batch_totals check (
    (total_minor > 0 and member_count > 0)
    or (total_minor = 0 and member_count = 0 and row_count = 0 and (status = 'Preparing' or was_undone))
  );
-- One of a group and currency at a time; and how those whose lease ran out are found.
create unique index payout_batch_unfinished on payout_batch (publisher_id, group_id, currency)
  where status in ('Preparing', 'Cancelling');

-- From when a row can be paid again: its payout was cancelled then. Null: from when it was settled, or clawed back.
alter table payment add column payable_at timestamptz;
alter table reward_payment add column payable_at timestamptz;
alter table clawback add column payable_at timestamptz;
create index clawback_by_batch on clawback (publisher_id, payout_batch_id) where payout_batch_id is not null;

-- When a membership merged, and when it was last pointed on to another; null for those of before.
alter table membership
  add column merged_at timestamptz,
  add column pointed_on_at timestamptz;

-- When hold_days or payout_minimums last changed; null: not since this column is there.
alter table creator_group add column terms_changed_at timestamptz;
