-- oldest program: 0.2.0
-- The stream alert: an overlay for streaming software that shows a creator's new purchases
-- (docs/adr/0098-stream-alert.md).

-- A person's stream alert at one publisher.
-- secret_hash: hash of the secret in the overlay's address. A new address replaces it.
-- created_at: creation of the address.
-- text: text that is shown, with the placeholders {product} and {code}.
-- tested_at: when the creator last requested a test.
-- seen_at: when an overlay last called the service, accurate to half a minute; null for an address that was not used yet.
create table stream_alert (
  publisher_id text collate "C" not null,
  user_id text collate "C" not null,
  secret_hash bytea not null unique check (length(secret_hash) = 32),
  created_at timestamptz not null,
  text text not null check (length(text) between 1 and 120),
  placement text collate "C" not null check (placement in ('top', 'middle', 'bottom')),
  show_seconds smallint not null check (show_seconds between 3 and 20),
  tested_at timestamptz,
  seen_at timestamptz,
  primary key (publisher_id, user_id)
);
comment on table stream_alert is 'reference: found by its secret before the publisher is known';
select replicate_to_all_nodes('stream_alert');
alter table stream_alert add foreign key (user_id) references portal_user on delete cascade;
create index stream_alert_user on stream_alert (user_id);
