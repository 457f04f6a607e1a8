-- oldest program: 0.2.0
-- An account accepts one person per provider, identified by the provider's own id.

-- If several persons could sign in through the same address, the first one stays. The others sign in another way, or are invited.
delete from staff_account a
using staff_account earlier
where a.provider_id <> 'credential'
  and earlier.user_id = a.user_id
  and earlier.provider_id = a.provider_id
  and (earlier.created_at, earlier.id) < (a.created_at, a.id);

-- squawk-ignore require-concurrent-index-creation -- a small table: one row per person and way to sign in
create unique index staff_account_of_user on staff_account (user_id, provider_id);
-- squawk-ignore require-concurrent-index-deletion -- the new index starts with the same column
drop index staff_account_user;
