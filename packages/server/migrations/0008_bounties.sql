-- Bounties: what a member must bring about to be rewarded, how far each one is, and the rewards given.

-- A bounty's window is half-open, [starts_at, ends_at). ended_at: when it was ended by command; then a program
-- file does not open it again. completion_limit counts completions of one member; null: no limit.
create table bounty (
  publisher_id text collate "C" not null,
  bounty_id text collate "C" not null check (bounty_id ~ '^[A-Za-z0-9_-]{1,64}$'),
  group_id text collate "C" not null,
  name text not null check (length(name) between 1 and 255),
  description text check (length(description) <= 2000),
  image_src text check (length(image_src) <= 2000),
  reward_description text check (length(reward_description) <= 2000),
  completion_limit integer default 1 check (completion_limit between 1 and 1000000),
  starts_at timestamptz not null,
  ends_at timestamptz check (ends_at >= starts_at),
  ended_at timestamptz,
  last_progress_check timestamptz,
  created_at timestamptz not null default now(),
  primary key (publisher_id, bounty_id),
  unique (publisher_id, group_id, bounty_id)
);
select distribute_by_publisher('bounty');
alter table bounty add foreign key (publisher_id, group_id) references creator_group;

-- Of one group, because a member is a member of a group. Circles are refused when a bounty is defined.
create table bounty_prerequisite (
  publisher_id text collate "C" not null,
  group_id text collate "C" not null,
  bounty_id text collate "C" not null,
  requires_id text collate "C" not null check (requires_id <> bounty_id),
  primary key (publisher_id, bounty_id, requires_id)
);
select distribute_by_publisher('bounty_prerequisite');
alter table bounty_prerequisite
  add foreign key (publisher_id, group_id, bounty_id) references bounty (publisher_id, group_id, bounty_id),
  add foreign key (publisher_id, group_id, requires_id) references bounty (publisher_id, group_id, bounty_id);
create index bounty_prerequisite_dependants on bounty_prerequisite (publisher_id, requires_id);

-- removed_at: the bounty no longer names it; what it counted is kept, and completions go by the others.
create table bounty_objective (
  publisher_id text collate "C" not null,
  objective_id text collate "C" not null check (objective_id ~ '^[A-Za-z0-9_-]{1,64}$'),
  bounty_id text collate "C" not null,
  position smallint not null check (position between 0 and 99),
  name text not null check (length(name) between 1 and 255),
  type text collate "C" not null check (type in ('Purchase', 'NewPlayers', 'Event')),
  condition text collate "C" not null check (condition in ('Count', 'Amount')),
  target bigint not null check (target between 1 and 9007199254740991),
  currency text collate "C" check (currency ~ '^[A-Z]{3}$'),
  event_code text collate "C" check (length(event_code) between 1 and 255),
  sku_ids text[] collate "C" not null default '{}',
  sku_names text[] not null default '{}' check (cardinality(sku_names) = cardinality(sku_ids)),
  removed_at timestamptz,
  primary key (publisher_id, objective_id),
  unique (publisher_id, bounty_id, objective_id),
  check (condition = 'Count' or (type = 'Purchase' and currency is not null)),
  check ((type = 'Event') = (event_code is not null)),
  check (type <> 'Event' or (currency is null and cardinality(sku_ids) = 0))
);
select distribute_by_publisher('bounty_objective');
alter table bounty_objective add foreign key (publisher_id, bounty_id) references bounty;
create index bounty_objective_event on bounty_objective (publisher_id, event_code) where event_code is not null;

create table bounty_reward (
  publisher_id text collate "C" not null,
  reward_id text collate "C" not null check (reward_id ~ '^[A-Za-z0-9_-]{1,64}$'),
  bounty_id text collate "C" not null,
  position smallint not null check (position between 0 and 99),
  name text not null check (length(name) between 1 and 255),
  type text collate "C" not null check (type in ('External', 'Payment', 'Sku')),
  amount_minor bigint check (amount_minor between 1 and 9007199254740991),
  currency text collate "C" check (currency ~ '^[A-Z]{3}$'),
  sku_id text collate "C" check (length(sku_id) between 1 and 255),
  sku_name text check (length(sku_name) between 1 and 255),
  external_id text check (length(external_id) between 1 and 255),
  removed_at timestamptz,
  primary key (publisher_id, reward_id),
  unique (publisher_id, bounty_id, reward_id),
  check ((type = 'Payment') = (amount_minor is not null) and (type = 'Payment') = (currency is not null)),
  check ((type = 'Sku') = (sku_id is not null) and (type = 'Sku') = (sku_name is not null))
);
select distribute_by_publisher('bounty_reward');
alter table bounty_reward add foreign key (publisher_id, bounty_id) references bounty;

-- Each player's first purchase at the publisher. Kept from the day the publisher has an objective that asks for it.
create table player_first_purchase (
  publisher_id text collate "C" not null,
  player_id text collate "C" not null,
  transaction_id text collate "C" not null,
  primary key (publisher_id, player_id)
);
select distribute_by_publisher('player_first_purchase');

-- Custom events, once each by the publisher's own id.
create table bounty_event (
  publisher_id text collate "C" not null,
  event_id text collate "C" not null check (length(event_id) between 1 and 255),
  group_id text collate "C" not null,
  membership_id uuid not null,
  event_code text collate "C" not null check (length(event_code) between 1 and 255),
  player_id text not null check (length(player_id) <= 255),
  occurred_at timestamptz not null,
  recorded_at timestamptz not null,
  primary key (publisher_id, event_id)
);
select distribute_by_publisher('bounty_event');
alter table bounty_event
  add foreign key (publisher_id, group_id, membership_id) references membership (publisher_id, group_id, membership_id);
create index bounty_event_by_code on bounty_event (publisher_id, group_id, event_code, occurred_at);

-- How far a member is with a bounty. needs_check: something was counted since a worker last looked.
-- The id is made here, because a set of rows to count does not know how many members it begins with.
create table bounty_progress (
  publisher_id text collate "C" not null,
  bounty_id text collate "C" not null,
  membership_id uuid not null,
  progress_id uuid not null default gen_random_uuid(),
  completion_count integer not null default 0 check (completion_count >= 0),
  needs_check boolean not null,
  last_progress_check timestamptz,
  primary key (publisher_id, bounty_id, membership_id),
  unique (publisher_id, progress_id)
);
select distribute_by_publisher('bounty_progress');
alter table bounty_progress
  add foreign key (publisher_id, bounty_id) references bounty,
  add foreign key (publisher_id, membership_id) references membership;
create index bounty_progress_member on bounty_progress (publisher_id, membership_id);
create index bounty_progress_to_check on bounty_progress (publisher_id, last_progress_check nulls first, progress_id)
  where needs_check;

-- What counts: a purchase or an event, for one objective and member. row_ids are the attributions that count of a
-- purchase; value is 1, or for an Amount the sum of their subtotals. It is gone when its last row was taken back.
create table bounty_contribution (
  publisher_id text collate "C" not null,
  objective_id text collate "C" not null,
  membership_id uuid not null,
  -- The transactionId of a purchase, the eventId of an event.
  source_id text collate "C" not null,
  row_ids uuid[] not null,
  value numeric(40, 0) not null check (value > 0),
  primary key (publisher_id, objective_id, membership_id, source_id)
);
select distribute_by_publisher('bounty_contribution');
-- No foreign key to the objective: settlement writes thousands at once, and would lock that row for each. None is
-- ever deleted.
revoke delete, truncate on bounty_objective from current_user;

-- The sums of the contributions.
create table bounty_total (
  publisher_id text collate "C" not null,
  objective_id text collate "C" not null,
  membership_id uuid not null,
  total numeric(40, 0) not null check (total >= 0),
  primary key (publisher_id, objective_id, membership_id)
);
select distribute_by_publisher('bounty_total');
alter table bounty_total add foreign key (publisher_id, objective_id) references bounty_objective;

-- Each completion once: its number is part of the key. objectives keeps what was asked for then.
create table bounty_completion (
  publisher_id text collate "C" not null,
  completion_id uuid not null,
  progress_id uuid not null,
  number integer not null check (number >= 1),
  objectives jsonb not null,
  completed_at timestamptz not null,
  primary key (publisher_id, completion_id),
  unique (publisher_id, progress_id, number)
);
select distribute_by_publisher('bounty_completion');
alter table bounty_completion
  add foreign key (publisher_id, progress_id) references bounty_progress (publisher_id, progress_id);

create table progress_reward (
  publisher_id text collate "C" not null,
  progress_reward_id uuid not null,
  completion_id uuid not null,
  reward_id text collate "C" not null,
  reward_completed boolean not null,
  reward_reference_id text check (length(reward_reference_id) between 1 and 255),
  primary key (publisher_id, progress_reward_id),
  unique (publisher_id, completion_id, reward_id),
  check (reward_completed or reward_reference_id is null)
);
select distribute_by_publisher('progress_reward');
alter table progress_reward
  add foreign key (publisher_id, completion_id) references bounty_completion,
  add foreign key (publisher_id, reward_id) references bounty_reward;
create index progress_reward_definition on progress_reward (publisher_id, reward_id);

-- Money that a bounty paid, beside the payments of purchases: owed from earned_at on, held and paid like those.
create table reward_payment (
  publisher_id text collate "C" not null,
  progress_reward_id uuid not null,
  group_id text collate "C" not null,
  membership_id uuid not null,
  currency text collate "C" not null,
  amount_minor bigint not null check (amount_minor between 1 and 9007199254740991),
  earned_at timestamptz not null,
  settled_at timestamptz not null,
  payout_batch_id uuid,
  paid_at timestamptz,
  primary key (publisher_id, progress_reward_id),
  check (paid_at is null or payout_batch_id is not null)
);
select distribute_by_publisher('reward_payment');
alter table reward_payment
  add foreign key (publisher_id, membership_id) references membership,
  add foreign key (publisher_id, payout_batch_id) references payout_batch (publisher_id, batch_id);
create index reward_payment_payable on reward_payment (publisher_id, group_id, currency, membership_id, earned_at)
  where payout_batch_id is null;
create index reward_payment_by_batch on reward_payment (publisher_id, payout_batch_id) where payout_batch_id is not null;

-- An item now has three sources: payments of purchases, rewards of bounties, and what is taken back.
alter table payout_item
  add column reward_count bigint not null default 0 check (reward_count >= 0),
  add column rewards_minor numeric(40, 0) not null default 0 check (rewards_minor >= 0),
  drop constraint payout_item_check,
  add constraint payout_item_sum check (amount_minor > 0 and amount_minor = payments_minor + rewards_minor + adjustments_minor);
