-- oldest program: 0.2.0
-- An account is opened by one person of each provider, by the provider's own name for them.

-- Of several that the address let in, the first one stays: the others sign in another way, or are invited themselves.
delete from staff_account a
using staff_account earlier
where a.provider_id <> 'credential'
  and earlier.user_id = a.user_id
  and earlier.provider_id = a.provider_id
  and (earlier.created_at, earlier.id) < (a.created_at, a.id);

-- squawk-ignore require-concurrent-index-creation -- as many rows as the staff has ways in
create unique index staff_account_of_user on staff_account (user_id, provider_id);
-- squawk-ignore require-concurrent-index-deletion -- the new index begins with the same column
drop index staff_account_user;
