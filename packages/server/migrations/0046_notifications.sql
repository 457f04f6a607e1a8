-- oldest program: 0.2.0
-- Digests and immediate notifications, by email to staff and as messages to channels of Slack and Discord
-- (docs/adr/0073-notifications.md).

-- A channel of Slack or Discord, with the address to which messages for it are sent.
create table notification_channel (
  publisher_id text collate "C" not null,
  channel_id text collate "C" not null,
  kind text collate "C" not null check (kind in ('slack', 'discord')),
  name text not null check (length(name) between 1 and 255),
  -- Sealed, because anyone who knows the address can post to the channel.
  url text not null check (length(url) between 1 and 8000),
  -- Host and last characters of the address, to recognize it.
  url_hint text not null check (length(url_hint) between 1 and 255),
  is_enabled boolean not null default true,
  disabled_reason text check (length(disabled_reason) between 1 and 1000),
  -- Failed attempts since the last success.
  failure_count integer not null default 0 check (failure_count >= 0),
  last_sent_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (publisher_id, channel_id)
);
select distribute_by_publisher('notification_channel');
alter table notification_channel add foreign key (publisher_id) references publisher;

-- What a person or a channel is notified of. A person without a row gets the defaults.
create table notification_choice (
  publisher_id text collate "C" not null,
  -- staff:… or channel:…
  recipient text collate "C" not null check (length(recipient) between 1 and 300),
  time_zone text collate "C" not null check (length(time_zone) between 1 and 64),
  send_hour smallint not null check (send_hour between 0 and 23),
  -- Subjects of the daily digest, of the weekly digest, and of immediate notifications.
  daily text[] not null,
  weekly text[] not null,
  immediate text[] not null,
  -- Null without a subject.
  next_daily_at timestamptz,
  next_weekly_at timestamptz,
  primary key (publisher_id, recipient)
);
select distribute_by_publisher('notification_choice');
alter table notification_choice add foreign key (publisher_id) references publisher;
create index notification_choice_daily on notification_choice (next_daily_at) where next_daily_at is not null;
create index notification_choice_weekly on notification_choice (next_weekly_at) where next_weekly_at is not null;

-- A state that staff are notified of when it begins and when it ends, such as a failing endpoint.
create table notification_incident (
  publisher_id text collate "C" not null,
  incident_id uuid not null,
  subject text collate "C" not null check (length(subject) between 1 and 32),
  -- Id of the endpoint, payout or channel; empty for the ledger.
  target text collate "C" not null check (length(target) <= 255),
  -- Name of the target when the incident began.
  name text not null check (length(name) <= 300),
  began_at timestamptz not null,
  ended_at timestamptz,
  primary key (publisher_id, incident_id)
);
select distribute_by_publisher('notification_incident');
alter table notification_incident add foreign key (publisher_id) references publisher;
create unique index notification_incident_open on notification_incident (publisher_id, subject, target) where ended_at is null;

-- A mail or a message to send: a digest for a period, or the incidents that began and ended.
create table notification (
  publisher_id text collate "C" not null,
  notification_id uuid not null,
  recipient text collate "C" not null check (length(recipient) between 1 and 300),
  kind text collate "C" not null check (kind in ('daily', 'weekly', 'immediate')),
  -- UTC days of a digest: the first day, and the day after the last day.
  period_from date,
  period_until date,
  began uuid[] not null default '{}',
  ended uuid[] not null default '{}',
  -- Nothing: there was nothing to send, or the recipient may no longer see any of it.
  status text collate "C" not null check (status in ('Waiting', 'Sent', 'Nothing', 'Failed')),
  created_at timestamptz not null,
  -- While a process sends the notification, the time at which another process may take it over.
  next_attempt_at timestamptz not null,
  attempt_count integer not null default 0 check (attempt_count >= 0),
  ended_at timestamptz,
  error text check (length(error) <= 1000),
  primary key (publisher_id, notification_id),
  check ((kind = 'immediate') = (period_from is null) and (kind = 'immediate') = (period_until is null)),
  check ((status = 'Waiting') = (ended_at is null))
);
select distribute_by_publisher('notification');
alter table notification add foreign key (publisher_id) references publisher;
-- A period's digest is written once.
create unique index notification_digest on notification (publisher_id, recipient, kind, period_until) where kind <> 'immediate';
-- Incidents are added to the notification that is not being sent yet.
create unique index notification_gathering on notification (publisher_id, recipient)
  where kind = 'immediate' and status = 'Waiting' and attempt_count = 0;
create index notification_due on notification (next_attempt_at) where status = 'Waiting';
create index notification_of_recipient on notification (publisher_id, recipient, ended_at) where kind = 'immediate';
