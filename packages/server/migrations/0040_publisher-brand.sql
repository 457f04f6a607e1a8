-- oldest program: 0.2.0
-- A publisher's accent and logo, for emails and the portal (docs/adr/0067-brand.md).

-- A color on which white text passes; null for the product's own.
alter table publisher add column accent text collate "C";
-- squawk-ignore constraint-missing-not-valid -- publisher has a row per publisher, so the scan takes milliseconds
alter table publisher add constraint publisher_accent_check check (accent ~ '^#[0-9a-f]{6}$');

-- The row exists only while the publisher has a logo. hash: start of the image's SHA-256, part of its address.
create table publisher_logo (
  publisher_id text collate "C" primary key,
  hash text collate "C" not null check (hash ~ '^[0-9a-f]{32}$'),
  media_type text collate "C" not null check (media_type in ('image/png', 'image/jpeg', 'image/webp')),
  width integer not null check (width between 1 and 2000),
  height integer not null check (height between 1 and 2000),
  image bytea not null check (octet_length(image) between 1 and 262144)
);
select distribute_by_publisher('publisher_logo');
alter table publisher_logo add foreign key (publisher_id) references publisher;
