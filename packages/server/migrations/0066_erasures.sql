-- oldest program: 0.2.0
-- Erasing creators (docs/adr/0095-erasure.md): the audit log is append-only, so a function of the owner replaces what names a
-- creator by a mark.

/* Returns a value of an audit entry with a mark instead of each string, or name of a property, that equals one of the texts. */
create function without_texts(value jsonb, texts text[]) returns jsonb
language plpgsql immutable as $$
declare
  result text := value::text;
  each text;
begin
  foreach each in array texts loop
    result := replace(result, to_json(each)::text, '"(erased)"');
  end loop;
  return result::jsonb;
end $$;

/*
 * Replaces the values of audit entries about a creator by a mark: all values of entries whose target is the creator's account,
 * the given texts in other entries, and the name and address of the creator as an actor. Ids, times, actions and other actors
 * stay. Adds an entry of its own, if it changed any.
 *
 * The owner has no right to update the table either. The function grants it to itself until the end of the update, which no other
 * session sees. Calls take turns, and a call that meets another change of the table's catalog row, such as autovacuum's, tries
 * again.
 */
create function redact_audit(
  of_publisher text, entries uuid[], of_account text, texts text[], own_entry uuid, by_kind text, by_id text, by_name text
) returns integer
language plpgsql security definer as $$
declare
  mark constant text := '(erased)';
  of_creator constant text := 'member:' || of_account;
  redacted integer;
begin
  perform pg_advisory_xact_lock(7301986146);
  for attempt in 1..5 loop
    begin
      execute format('grant update (before, after, reason, actor_name, address) on audit_entry to %I', current_user);
      exit;
    exception when internal_error then
      if attempt = 5 then
        raise;
      end if;
    end;
  end loop;
  update audit_entry e
  set before = case when e.target = of_creator then '{"erased": true}' else without_texts(e.before, texts) end,
      after = case when e.target = of_creator then '{"erased": true}' else without_texts(e.after, texts) end,
      reason = case when e.reason is null then null
                    when e.target = of_creator or exists (select 1 from unnest(texts) t where strpos(e.reason, t) > 0) then mark
                    else e.reason end,
      actor_name = case when e.actor_kind = 'creator' and e.actor_id = of_account then mark else e.actor_name end,
      address = case when e.actor_kind = 'creator' and e.actor_id = of_account then null else e.address end
  where e.publisher_id = of_publisher and e.audit_id = any(entries);
  get diagnostics redacted = row_count;
  execute format('revoke update on audit_entry from %I', current_user);
  if redacted > 0 then
    insert into audit_entry (publisher_id, audit_id, at, actor_kind, actor_id, actor_name, action, target, after)
    values (of_publisher, own_entry, clock_timestamp(), by_kind, by_id, by_name, 'audit.redact', of_creator,
            jsonb_build_object('erased', true, 'entries', redacted));
  end if;
  return redacted;
end $$;

/* The functions use this schema's tables, whatever the caller's search path, and never temporary ones. */
do $$
declare
  signature text;
begin
  foreach signature in array array[
    'without_texts(jsonb, text[])', 'redact_audit(text, uuid[], text, text[], uuid, text, text, text)'
  ] loop
    execute format('alter function %s set search_path = %I, pg_temp', signature, current_schema());
    -- `attribution migrate` grants execution to the service's role (service-rights.ts).
    execute format('revoke execute on function %s from public', signature);
  end loop;
end $$;
