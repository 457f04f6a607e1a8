-- oldest program: 0.2.0
-- in steps
-- Copies the ids of custom events that 0.1.0 recorded, and the times of their contributions, some thousand events per step.

-- The planner can't estimate the number of ids in a range, so this forces lookups by key.
set local enable_hashjoin = off;
set local enable_mergejoin = off;

do $$
declare
  wanted constant bigint := 5000;
  passed bigint := 0;
  each record;
  through text;
  count_here bigint;
begin
  for each in
    select p.publisher_id, coalesce(c.copied_through, '') as copied_through
    from publisher p
    left join bounty_event_copy c on c.publisher_id = p.publisher_id
    order by p.publisher_id
  loop
    exit when passed >= wanted;
    execute format(
      'with page as materialized (
         select publisher_id, record_id, event_id
         from bounty_event
         where publisher_id = %L and record_id = ''00000000-0000-0000-0000-000000000000'' and event_id > %L
         order by event_id
         limit %s
       ),
       copied as (
         insert into bounty_event_id (publisher_id, id_digest, record_id)
         select publisher_id, left(encode(sha256(convert_to(event_id, ''UTF8'')), ''hex''), 32)::uuid, record_id
         from page
       )
       select count(*), max(event_id) from page', each.publisher_id, each.copied_through, wanted - passed)
      into count_here, through;
    continue when count_here = 0;
    passed := passed + count_here;
    execute format(
      'update bounty_contribution c
       set occurred_at = e.occurred_at
       from (
         select membership_id, event_id, event_code, occurred_at
         from bounty_event
         where publisher_id = %1$L and record_id = ''00000000-0000-0000-0000-000000000000'' and event_id > %2$L and event_id <= %3$L
         offset 0
       ) e
       join bounty_objective o on o.publisher_id = %1$L and o.event_code = e.event_code
       where c.publisher_id = %1$L and c.objective_id = o.objective_id and c.membership_id = e.membership_id
         and c.source_id = e.event_id', each.publisher_id, each.copied_through, through);
    insert into bounty_event_copy (publisher_id, copied_through) values (each.publisher_id, through)
    on conflict (publisher_id) do update set copied_through = excluded.copied_through;
  end loop;
  if passed < wanted then
    drop table bounty_event_copy;
  end if;
  perform set_config('attribution.rows_of_step', passed::text, true);
end $$;

-- Done when fewer events were left than a step takes.
select rows < 5000 as is_done, rows
from (select current_setting('attribution.rows_of_step')::bigint as rows) step;
