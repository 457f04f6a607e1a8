-- oldest program: 0.2.0
-- Applications: creators apply to a group in the portal (docs/adr/0100-applications.md).

-- Versions of the terms that applicants accept. A changed text is a new version, and earlier versions are kept. No foreign key
-- refers to them, because checking it would need the right to update the table.
create table group_terms (
  publisher_id text collate "C" not null,
  group_id text collate "C" not null,
  version integer not null check (version > 0),
  body text not null check (length(body) between 1 and 20000),
  sha256 text collate "C" not null check (sha256 ~ '^[0-9a-f]{64}$'),
  created_at timestamptz not null,
  primary key (publisher_id, group_id, version)
);
select distribute_by_publisher('group_terms');
alter table group_terms add foreign key (publisher_id, group_id) references creator_group;
revoke update, delete, truncate on group_terms from current_user;

-- A group's settings for applications. Without a row, the group has never been open for them.
-- max_pending: maximum number of undecided applications.
-- reserved_codes: codes that no applicant gets, in lower case.
create table group_applications (
  publisher_id text collate "C" not null,
  group_id text collate "C" not null,
  is_open boolean not null default false,
  max_pending integer not null default 100 check (max_pending between 1 and 10000),
  reserved_codes text[] not null default '{}' check (cardinality(reserved_codes) <= 500),
  terms_version integer,
  primary key (publisher_id, group_id),
  check (not is_open or terms_version is not null)
);
select distribute_by_publisher('group_applications');
alter table group_applications add foreign key (publisher_id, group_id) references creator_group;

-- An application and its decision. The membership is Pending, and the code not approved, until the publisher decides.
-- code: code that the applicant wants; null after an erasure.
-- expires_at: time at which an undecided application ends and its code becomes free.
-- mail_status: state of the email about the decision, which a worker sends; null if there is no such email. While a process sends
-- it, mail_next_at is the time at which another process may take it over.
create table creator_application (
  publisher_id text collate "C" not null,
  application_id uuid not null,
  group_id text collate "C" not null,
  membership_id uuid not null,
  code text collate "C" check (code ~ '^[A-Za-z0-9_-]{2,32}$'),
  terms_version integer not null,
  applied_at timestamptz not null,
  expires_at timestamptz not null check (expires_at > applied_at),
  decided_at timestamptz,
  decision text collate "C" check (decision in ('Approved', 'Refused', 'Expired')),
  reason text check (length(reason) between 1 and 255),
  mail_status text collate "C" check (mail_status in ('Waiting', 'Sent', 'Failed')),
  mail_attempts integer not null default 0 check (mail_attempts >= 0),
  mail_next_at timestamptz,
  primary key (publisher_id, application_id),
  check ((decided_at is null) = (decision is null)),
  check (reason is null or decision = 'Refused'),
  check (mail_status is null or (decision is not null and mail_next_at is not null))
);
select distribute_by_publisher('creator_application');
alter table creator_application
  add foreign key (publisher_id, group_id, membership_id) references membership (publisher_id, group_id, membership_id);
create unique index creator_application_one_open on creator_application (publisher_id, membership_id)
  where decided_at is null;
create index creator_application_open on creator_application (publisher_id, group_id, expires_at) where decided_at is null;
create index creator_application_membership on creator_application (publisher_id, membership_id, applied_at);
create index creator_application_mail on creator_application (mail_next_at) where mail_status = 'Waiting';
revoke delete, truncate on creator_application from current_user;

-- Proof that an applicant accepted a version of the terms.
create table terms_acceptance (
  publisher_id text collate "C" not null,
  account_id text collate "C" not null,
  group_id text collate "C" not null,
  version integer not null,
  sha256 text collate "C" not null check (sha256 ~ '^[0-9a-f]{64}$'),
  accepted_at timestamptz not null,
  primary key (publisher_id, account_id, group_id, version)
);
select distribute_by_publisher('terms_acceptance');
alter table terms_acceptance add foreign key (account_id) references creator_account;
revoke update, delete, truncate on terms_acceptance from current_user;

-- A person who applies gets an account, which is connected at once.
-- The constraint is not validated, because it only allows more than before.
-- squawk-ignore constraint-missing-not-valid -- dropped and added in one transaction, and the table is new in this release
alter table portal_user_account drop constraint portal_user_account_proof_check;
alter table portal_user_account add constraint portal_user_account_proof_check
  check (proof in ('invitation', 'auth-code', 'application')) not valid;
