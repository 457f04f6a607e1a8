-- oldest program: 0.2.0
-- Codes that players use for all of their purchases in a group (docs/adr/0101-codes-of-players.md).

-- A player's code from a time on, until it expires or a later row replaces it. Rows are only added, except that repeating a request
-- replaces the row of the same time.
-- membership_id: creator whose code the player entered; null if the player has no code from then on. The code itself isn't stored,
-- because a renamed code keeps its players.
-- expires_at: the group's codeTTLInDays after attached_at, as it was then.
create table player_code (
  publisher_id text collate "C" not null,
  group_id text collate "C" not null,
  player_id text not null collate "C" check (length(player_id) between 1 and 255),
  attached_at timestamptz not null,
  membership_id uuid,
  expires_at timestamptz check (expires_at > attached_at),
  primary key (publisher_id, group_id, player_id, attached_at),
  check ((membership_id is null) = (expires_at is null))
);
select distribute_by_publisher('player_code');
alter table player_code
  add foreign key (publisher_id, group_id, membership_id) references membership (publisher_id, group_id, membership_id);
create index player_code_membership on player_code (publisher_id, membership_id) where membership_id is not null;

-- uses_player_code: the purchase was sent without a code, and credited to the code that its player had entered.
alter table attribution add column uses_player_code boolean not null default false;
