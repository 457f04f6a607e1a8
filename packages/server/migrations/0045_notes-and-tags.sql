-- oldest program: 0.2.0
-- Notes and tags that a publisher's staff keep about creators (docs/adr/0072-notes-tags-and-undo.md).

-- removed_at: time when the note was removed. Until the note is purged, within about an hour, its removal can be undone.
create table creator_note (
  publisher_id text collate "C" not null,
  note_id uuid not null,
  account_id text collate "C" not null,
  body text not null check (length(body) between 1 and 2000),
  author_kind text collate "C" not null check (length(author_kind) between 1 and 20),
  author_id text collate "C" not null check (length(author_id) between 1 and 255),
  author_name text not null check (length(author_name) between 1 and 255),
  created_at timestamptz not null,
  edited_at timestamptz,
  removed_at timestamptz,
  primary key (publisher_id, note_id)
);
select distribute_by_publisher('creator_note');
alter table creator_note add foreign key (publisher_id) references publisher;
alter table creator_note add foreign key (account_id) references creator_account;
create index creator_note_account on creator_note (publisher_id, account_id, note_id);
create index creator_note_removed on creator_note (publisher_id, removed_at) where removed_at is not null;

-- name_folded: the name in lower case; a publisher has each name once. removed_at: as for notes.
create table creator_tag (
  publisher_id text collate "C" not null,
  tag_id uuid not null,
  name text not null check (length(name) between 1 and 40),
  name_folded text collate "C" not null check (length(name_folded) between 1 and 80),
  removed_at timestamptz,
  primary key (publisher_id, tag_id)
);
select distribute_by_publisher('creator_tag');
alter table creator_tag add foreign key (publisher_id) references publisher;
create unique index creator_tag_one_name on creator_tag (publisher_id, name_folded) where removed_at is null;

-- The creators who have each tag.
create table creator_tagged (
  publisher_id text collate "C" not null,
  tag_id uuid not null,
  account_id text collate "C" not null,
  primary key (publisher_id, tag_id, account_id)
);
select distribute_by_publisher('creator_tagged');
alter table creator_tagged add foreign key (publisher_id, tag_id) references creator_tag;
alter table creator_tagged add foreign key (account_id) references creator_account;
create index creator_tagged_account on creator_tagged (publisher_id, account_id);
