-- oldest program: 0.2.0
-- Erasures that creators request in the portal (docs/adr/0096-requests-of-creators.md).

-- Request of a person to erase all of their creator accounts. It can be withdrawn until the erasure has started. Deleting
-- the person, which ends the erasure, deletes it too.
create table erasure_request (
  user_id text collate "C" primary key,
  requested_at timestamptz not null,
  due_at timestamptz not null check (due_at > requested_at),
  started_at timestamptz
);
comment on table erasure_request is 'reference: a creator is erased at all publishers';
select replicate_to_all_nodes('erasure_request');
alter table erasure_request add foreign key (user_id) references portal_user on delete cascade;
create index erasure_request_due on erasure_request (due_at);
