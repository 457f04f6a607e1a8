-- oldest program: 0.2.0
-- A function of the tables' owner adds to a payout's total and counts, so that the service's role needs no rights on these
-- columns (docs/adr/0051-rights-by-column.md).

/*
 * Adds the amounts of one step to the totals of payouts in preparation; other payouts keep their totals. A payout never gets more
 * members than planned, so a complete one doesn't change even if its status is set back. Returns the number of changed payouts.
 * On Citus, whose nodes treat another role as another session, it runs as the caller (grant-rights.ts).
 */
create function add_to_payouts(
  of_publisher text, batches uuid[], amounts numeric[], members integer[], row_counts bigint[]
) returns integer
language plpgsql security definer as $$
declare
  added integer;
begin
  update payout_batch b
  set total_minor = b.total_minor + a.amount,
      member_count = b.member_count + a.members,
      row_count = b.row_count + a.row_count
  from unnest(batches, amounts, members, row_counts) as a (batch_id, amount, members, row_count)
  where b.publisher_id = of_publisher and b.batch_id = a.batch_id and b.status = 'Preparing'
    and a.amount > 0 and a.members > 0 and a.row_count >= 0
    and b.member_count + a.members <= b.planned_count;
  get diagnostics added = row_count;
  return added;
end $$;

/* The function uses this schema's table, whatever the caller's search path, and never a temporary one. */
do $$
begin
  execute format('alter function add_to_payouts(text, uuid[], numeric[], integer[], bigint[]) set search_path = %I, pg_temp',
    current_schema());
end $$;
-- `attribution migrate` grants execution to the service's role (service-rights.ts).
revoke execute on function add_to_payouts(text, uuid[], numeric[], integer[], bigint[]) from public;
