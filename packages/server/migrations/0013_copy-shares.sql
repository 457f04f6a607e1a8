-- oldest program: 0.2.0
-- in steps
-- Copies the shares of rows from 0.1.0 from their payments, some thousand rows per step, oldest first, while the previous
-- version keeps recording and posting (docs/adr/0033-migrations-in-steps.md).

-- The planner can't estimate the number of ids in a range, so this forces lookups by key.
set local enable_hashjoin = off;
set local enable_mergejoin = off;

do $$
declare
  wanted constant bigint := 5000;
  passed bigint := 0;
  each record;
  waiting_since timestamptz;
  below uuid;
  through uuid;
  count_here bigint;
begin
  for each in
    select p.publisher_id, coalesce(c.copied_through, '00000000-0000-0000-0000-000000000000') as copied_through
    from publisher p
    left join share_copy c on c.publisher_id = p.publisher_id
    order by p.publisher_id
  loop
    exit when passed >= wanted;
    -- Each row is visited only once, so rows that may not be posted yet have to wait: those of the last minute, and those
    -- since a minute before the oldest unposted one. Ids start with their time, and the clocks of processes may differ.
    waiting_since := null;
    execute format(
      'select to_timestamp((''x'' || left(replace(unsettled_id::text, ''-'', ''''), 12))::bit(48)::bigint / 1000.0)
       from unsettled
       where publisher_id = %L
       order by unsettled_id
       limit 1', each.publisher_id)
      into waiting_since;
    below := (lpad(to_hex((extract(epoch from least(now(), waiting_since) - interval '1 minute') * 1000)::bigint), 12, '0')
              || '70008000000000000000')::uuid;
    execute format(
      'select count(*), max(attribution_id::text collate "C")::uuid
       from (
         select attribution_id
         from attribution
         where publisher_id = %L and attribution_id > %L and attribution_id < %L
         order by attribution_id
         limit %s
       ) page', each.publisher_id, each.copied_through, below, wanted - passed)
      into count_here, through;
    continue when count_here = 0;
    passed := passed + count_here;
    execute format(
      'update attribution a
       set share_millionths = p.share_millionths, share_minor = p.share_minor, share_rule = p.share_rule,
           schedule_id = case when p.share_rule in (''scheduled-tier'', ''scheduled-group'') then p.share_source end,
           scheduled_tier_share_millionths = case when p.share_rule = ''scheduled-tier'' then p.share_millionths end,
           scheduled_share_millionths = case when p.share_rule = ''scheduled-group'' then p.share_millionths end
       from (
         select attribution_id, share_millionths, share_minor, share_rule, share_source
         from payment
         where publisher_id = %1$L and attribution_id > %2$L and attribution_id <= %3$L and settled_at is not null
         offset 0
       ) p
       where a.publisher_id = %1$L and a.attribution_id = p.attribution_id',
      each.publisher_id, each.copied_through, through);
    execute format(
      'insert into share_copy (publisher_id, copied_through) values (%L, %L)
       on conflict (publisher_id) do update set copied_through = excluded.copied_through', each.publisher_id, through);
  end loop;
  perform set_config('attribution.rows_of_step', passed::text, true);
end $$;

-- Done when fewer rows were left than a step takes. The next migration copies those that were recorded since.
select rows < 5000 as is_done, rows
from (select current_setting('attribution.rows_of_step')::bigint as rows) step;
