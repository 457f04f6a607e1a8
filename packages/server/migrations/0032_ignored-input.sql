-- oldest program: 0.2.0
-- What requests sent and nothing read: a misspelt name can change money without an error (docs/adr/0049-ignored-input.md).

-- A strict key refuses what it would otherwise ignore.
-- squawk-ignore adding-field-with-default -- a constant default rewrites nothing, and the keys of an installation are few
alter table api_key add column is_strict boolean not null default false;

-- By key, operation and name: how often it was ignored, and when last. The latest fifty names of a key are kept.
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
