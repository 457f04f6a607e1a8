-- oldest program: 0.2.0
-- Payee methods: where creators are paid (docs/adr/0085-payee-methods.md).

-- A publisher's rules for payee methods, and what its payment files need. Without a row, the defaults apply.
-- wait_days: days between the approval of a method and its first use.
-- wise_header: first line of the publisher's own Wise template.
-- debtor_name, debtor_iban, debtor_bic: account that SEPA files pay from.
create table payee_settings (
  publisher_id text collate "C" not null,
  wait_days integer not null default 7 check (wait_days between 0 and 30),
  paypal_decimal_sign text collate "C" not null default '.' check (paypal_decimal_sign in ('.', ',')),
  wise_header text check (length(wise_header) between 1 and 1000),
  wise_source_currency text collate "C" check (wise_source_currency ~ '^[A-Z]{3}$'),
  debtor_name text check (length(debtor_name) between 1 and 70),
  debtor_iban text collate "C" check (debtor_iban ~ '^[A-Z0-9]{15,34}$'),
  debtor_bic text collate "C" check (debtor_bic ~ '^[A-Z0-9]{8}([A-Z0-9]{3})?$'),
  primary key (publisher_id),
  check ((debtor_name is null) = (debtor_iban is null)),
  check (debtor_bic is null or debtor_iban is not null)
);
select distribute_by_publisher('payee_settings');
alter table payee_settings add foreign key (publisher_id) references publisher;
revoke delete, truncate on payee_settings from current_user;

-- One way to pay a creator. One person enters it and another approves it. Rows are never deleted, and their ends are times, so
-- that a payout can be computed as of an earlier time.
-- sealed: name, address and account, sealed for this publisher and account (docs/adr/0021-sealed-secrets.md).
-- hint: part of the address or account that people may see.
-- fingerprint: HMAC of the address or account, which finds the same one at other creators without opening any.
-- usable_from: on the publisher's clock. The other times are on the service's clock.
create table payee_method (
  publisher_id text collate "C" not null,
  method_id uuid not null,
  account_id text collate "C" not null,
  kind text collate "C" not null check (kind in ('paypal', 'wise-email', 'sepa')),
  sealed text collate "C" not null check (sealed like 'sealed:v1:%' and length(sealed) <= 4000),
  hint text not null check (length(hint) between 1 and 100),
  fingerprint bytea not null check (length(fingerprint) = 32),
  entered_at timestamptz not null,
  entered_by_kind text collate "C" not null check (length(entered_by_kind) between 1 and 20),
  entered_by_id text collate "C" not null check (length(entered_by_id) between 1 and 255),
  entered_by_name text not null check (length(entered_by_name) between 1 and 255),
  approved_at timestamptz,
  approved_by_kind text collate "C" check (length(approved_by_kind) between 1 and 20),
  approved_by_id text collate "C" check (length(approved_by_id) between 1 and 255),
  approved_by_name text check (length(approved_by_name) between 1 and 255),
  usable_from timestamptz,
  ended_at timestamptz,
  ended_reason text check (length(ended_reason) between 1 and 500),
  ended_by_kind text collate "C" check (length(ended_by_kind) between 1 and 20),
  ended_by_id text collate "C" check (length(ended_by_id) between 1 and 255),
  ended_by_name text check (length(ended_by_name) between 1 and 255),
  primary key (publisher_id, method_id),
  check (num_nonnulls(approved_at, approved_by_kind, approved_by_id, approved_by_name, usable_from) in (0, 5)),
  check (num_nonnulls(ended_at, ended_reason, ended_by_kind, ended_by_id, ended_by_name) in (0, 5)),
  -- Two people: a method that one person entered and approved is impossible.
  check (approved_by_id is null or approved_by_kind <> entered_by_kind or approved_by_id <> entered_by_id)
);
select distribute_by_publisher('payee_method');
alter table payee_method add foreign key (publisher_id) references publisher;
-- A creator has at most one current bank account for euros, and one current method for any currency.
create unique index payee_method_current_bank on payee_method (publisher_id, account_id)
  where approved_at is not null and ended_at is null and kind = 'sepa';
create unique index payee_method_current on payee_method (publisher_id, account_id)
  where approved_at is not null and ended_at is null and kind <> 'sepa';
create unique index payee_method_waiting on payee_method (publisher_id, account_id)
  where approved_at is null and ended_at is null;
create index payee_method_by_account on payee_method (publisher_id, account_id, method_id);
create index payee_method_open on payee_method (publisher_id, method_id) where approved_at is null and ended_at is null;
create index payee_method_by_fingerprint on payee_method (publisher_id, fingerprint) where ended_at is null;
revoke delete, truncate on payee_method from current_user;
