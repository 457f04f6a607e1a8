-- oldest program: 0.2.0
-- Emails that tell creators of something, and their further addresses (docs/adr/0099-emails-to-creators.md).

-- Emails to creators, each written in the commit of what it tells of, and sent by a worker. Replaces payee_notice.
-- kind: content of the email. Those about payout methods are for security: they have a method, and the address that they must
-- reach. The others can be turned off. They have a row, and go to the person whom the account belongs to when they are sent.
-- about_id: line of a payout (paid, returned), membership (approved, refused, removed, first-sale), or completion (bounty).
-- changed_at: time of the change that the email tells of, on the database's clock, like the times of methods.
-- expires_at: end of the link that takes a changed payout method back. Then the row is deleted.
-- status: Nothing if no one wanted the email anymore.
create table creator_notice (
  publisher_id text collate "C" not null,
  notice_id uuid not null,
  account_id text collate "C" not null,
  kind text collate "C" not null,
  method_id uuid,
  email text collate "C" check (length(email) between 3 and 255),
  about_id uuid,
  changed_at timestamptz not null,
  expires_at timestamptz not null,
  taken_back_at timestamptz,
  status text collate "C" not null default 'Waiting' check (status in ('Waiting', 'Sent', 'Failed', 'Nothing')),
  attempt_count integer not null default 0 check (attempt_count >= 0),
  -- While a process sends the email, the time at which another process may take it over.
  next_attempt_at timestamptz not null,
  primary key (publisher_id, notice_id),
  constraint creator_notice_kind_check check (
    case when kind in ('method-entered', 'method-removed')
         then method_id is not null and email is not null and about_id is null
         else kind in ('paid', 'returned', 'approved', 'refused', 'removed', 'first-sale', 'bounty')
              and method_id is null and email is null and about_id is not null end)
);
select distribute_by_publisher('creator_notice');
alter table creator_notice add foreign key (publisher_id) references publisher;
alter table creator_notice add foreign key (publisher_id, method_id) references payee_method;
create index creator_notice_account on creator_notice (publisher_id, account_id, changed_at);
create index creator_notice_due on creator_notice (next_attempt_at) where status = 'Waiting';

insert into creator_notice (publisher_id, notice_id, account_id, kind, method_id, email, changed_at, expires_at, taken_back_at,
                            status, attempt_count, next_attempt_at)
select publisher_id, notice_id, account_id, 'method-' || change, method_id, email, changed_at, expires_at, taken_back_at,
       status, attempt_count, next_attempt_at
from payee_notice;
-- squawk-ignore ban-drop-table -- the table is new in this release, so no older version uses it
drop table payee_notice;

-- Further addresses of a person, each proven. The person can sign in with them, and changed payout methods are told to all of
-- them. Codes that confirm changes are sent only to the person's first address (portal_user.email). No address is in both tables.
create table portal_email (
  email text collate "C" primary key check (email = lower(email) and length(email) between 3 and 255),
  user_id text collate "C" not null,
  added_at timestamptz not null
);
comment on table portal_email is 'reference: belongs to a person, and a person to no publisher';
select replicate_to_all_nodes('portal_email');
alter table portal_email add foreign key (user_id) references portal_user on delete cascade;
create index portal_email_user on portal_email (user_id);

-- off_subjects: subjects of emails that the person has turned off, at all publishers.
alter table portal_user add column off_subjects text[] not null default '{}';
alter table portal_user add constraint portal_user_off_subjects_check check (cardinality(off_subjects) <= 20) not valid;
