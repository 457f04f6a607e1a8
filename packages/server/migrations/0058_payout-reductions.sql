-- oldest program: 0.2.0
-- Members who get less from a payout than its preview showed (docs/adr/0083-paying-a-preview-that-changed.md).

-- A member's amount in the preview, and the reasons for which the payout pays less of it, or nothing. The amount paid is in the
-- member's item. If a payout is undone before it is complete, its rows stay here, and nothing reads them.
create table payout_reduction (
  publisher_id text collate "C" not null,
  batch_id uuid not null,
  membership_id uuid not null,
  previewed_minor numeric(40, 0) not null check (previewed_minor > 0),
  reasons text[] not null check (cardinality(reasons) between 0 and 20),
  primary key (publisher_id, batch_id, membership_id)
);
select distribute_by_publisher('payout_reduction');
alter table payout_reduction add foreign key (publisher_id, batch_id) references payout_batch;
revoke update, delete, truncate on payout_reduction from current_user;

-- True if the payout must pay exactly the previewed amounts. False if it may pay less to members whose amounts fell.
alter table pay_run_line add column is_exact boolean not null default true;
