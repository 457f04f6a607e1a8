-- oldest program: 0.2.0
-- Names that requests sent but no operation reads: a misspelled name can change money without an error
-- (docs/adr/0049-ignored-input.md).

-- Requests with a strict key are rejected for input that would otherwise be ignored.
-- squawk-ignore adding-field-with-default -- a constant default rewrites nothing, and an installation has few keys
alter table api_key add column is_strict boolean not null default false;

-- Ignored names by key and operation, with their count and last time. The latest fifty names of a key are stored.
create table ignored_input (
  publisher_id text collate "C" not null,
  key_id text collate "C" not null,
  operation text collate "C" not null check (length(operation) between 1 and 64),
  name text collate "C" not null check (length(name) between 1 and 100),
  times bigint not null check (times > 0),
  last_at timestamptz not null,
  primary key (publisher_id, key_id, operation, name)
);
select distribute_by_publisher('ignored_input');
alter table ignored_input add foreign key (publisher_id) references publisher;
