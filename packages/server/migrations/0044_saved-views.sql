-- oldest program: 0.2.0
-- Filters, sort order and columns of lists that staff saved under a name (docs/adr/0071-lists.md).

-- list: name of the list, from accounts/views/view-lists.ts. user_id: owner of a private view; null for a view that is
-- shared with the publisher's team. query: parameters of the list's URL.
create table saved_view (
  publisher_id text collate "C" not null,
  view_id uuid not null,
  list text collate "C" not null check (length(list) between 1 and 40),
  user_id text collate "C",
  name text not null check (length(name) between 1 and 80),
  query jsonb not null check (jsonb_typeof(query) = 'object' and length(query::text) <= 10000),
  primary key (publisher_id, view_id)
);
select distribute_by_publisher('saved_view');
alter table saved_view add foreign key (publisher_id) references publisher;
-- A person's views are deleted with the person.
alter table saved_view add foreign key (publisher_id, user_id) references staff on delete cascade;
create unique index saved_view_of_person on saved_view (publisher_id, user_id, list, name) where user_id is not null;
create unique index saved_view_of_team on saved_view (publisher_id, list, name) where user_id is null;

-- View with which a list opens for a person.
create table default_view (
  publisher_id text collate "C" not null,
  user_id text collate "C" not null,
  list text collate "C" not null check (length(list) between 1 and 40),
  view_id uuid not null,
  primary key (publisher_id, user_id, list)
);
select distribute_by_publisher('default_view');
alter table default_view add foreign key (publisher_id, user_id) references staff on delete cascade;
alter table default_view add foreign key (publisher_id, view_id) references saved_view on delete cascade;
create index default_view_of_view on default_view (publisher_id, view_id);
