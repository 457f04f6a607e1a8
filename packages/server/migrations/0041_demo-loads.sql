-- oldest program: 0.2.0
-- Demo data in a sandbox, and the rehearsal of a first payout (docs/adr/0068-demo-data-in-a-sandbox.md).

-- The latest load of demo data for each live publisher. sandbox_id: the sandbox that was filled; null if the load failed.
-- step: number of finished steps. renewed_at: last sign of the process that loads. ended_at: null while loading.
create table demo_load (
  publisher_id text collate "C" not null primary key,
  sandbox_id text collate "C",
  step smallint not null check (step between 0 and 100),
  started_at timestamptz not null,
  renewed_at timestamptz not null,
  ended_at timestamptz
);
select distribute_by_publisher('demo_load');
alter table demo_load add foreign key (publisher_id) references publisher;

-- Latest time when the person looked at a payout preview in a sandbox, and when they hid the guide; null for never.
alter table staff
  add column preview_seen_at timestamptz,
  add column rehearsal_hidden_at timestamptz;
