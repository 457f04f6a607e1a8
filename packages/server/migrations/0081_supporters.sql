-- oldest program: 0.2.0
-- Supporters of creators: the players whose code is in force (docs/adr/0108-supporters.md).

-- ended_at: first time at which the code is no longer in force, because it has expired or a later row replaces it.
-- referral_id: public id of the row, because a player's id must not reach games' clients.
-- is_end_told: whether the code's coming end has been announced.
alter table player_code add column ended_at timestamptz;
alter table player_code add column referral_id uuid;
alter table player_code add column is_end_told boolean not null default false;

-- No released version has rows here.
update player_code p
set referral_id = gen_random_uuid(), ended_at = least(p.expires_at, n.next_at)
from (
  select publisher_id, group_id, player_id, attached_at,
         lead(attached_at) over (partition by publisher_id, group_id, player_id order by attached_at) as next_at
  from player_code
) n
where n.publisher_id = p.publisher_id and n.group_id = p.group_id and n.player_id = p.player_id
  and n.attached_at = p.attached_at and p.membership_id is not null;

-- squawk-ignore constraint-missing-not-valid -- no released version has rows here
alter table player_code add constraint player_code_end_check
  check ((membership_id is null) = (ended_at is null) and (membership_id is null) = (referral_id is null)
    and ended_at > attached_at and ended_at <= expires_at);

-- Supporters of a creator, newest end first, and of a group, without reading the rows themselves. Also serves the foreign key.
-- squawk-ignore require-concurrent-index-creation -- no released version has rows here
create index player_code_supporters on player_code (publisher_id, group_id, membership_id, ended_at desc)
  include (attached_at, player_id) where membership_id is not null;
-- squawk-ignore require-concurrent-index-deletion -- no released version has rows here
drop index player_code_membership;
-- Ends to announce.
-- squawk-ignore require-concurrent-index-creation -- no released version has rows here
create index player_code_ends on player_code (publisher_id, expires_at) where not is_end_told and ended_at = expires_at;
