import type { Actor } from '../../audit/actor.ts';
import { recordChange } from '../../audit/record-change.ts';
import type { Db } from '../../platform/database/database.ts';
import { inTransaction, type Tx } from '../../platform/database/in-transaction.ts';
import { asTyped } from '../../platform/program-name.ts';
import { Refusal } from '../../platform/refusal.ts';
import { requirePublisher } from '../../publishers/require-publisher.ts';
import { maxBytes } from '../read-program.ts';
import { flowYaml, type Plain } from './flow-yaml.ts';
import { readMemberPages } from './read-members.ts';
import {
  type GroupSettings,
  readBountyList,
  readGroupSettings,
  readKeys,
  readScheduleList,
  readSkuShares,
  readTiers,
} from './read-program.ts';

/**
 * Writes a publisher's whole program as a program file: applied to what it was written of, it changes nothing. All of
 * it is of one moment.
 * @throws Refusal NotFound when there is no such publisher, Conflict for a program that no file can hold
 */
export async function exportProgram(db: Db, actor: Actor, publisherId: string, now: Date): Promise<string> {
  await requirePublisher(db, publisherId);
  const text = await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      const lines: string[] = [];
      let bytes = 0;
      for await (const line of programLines(tx, publisherId, now)) {
        lines.push(line);
        bytes += line.length + 1;
        if (bytes > maxBytes)
          throw new Refusal('Conflict', 'The program is larger than a program file may be (50 MiB).');
      }
      return `${lines.join('\n')}\n`;
    });
  await inTransaction(db, (tx) =>
    recordChange(tx, actor, { publisherId, action: 'program.export', target: `publisher:${publisherId}` }),
  );
  return text;
}

async function* programLines(tx: Tx, publisherId: string, now: Date): AsyncGenerator<string> {
  const { name, forget_buyers_after_days } = await tx
    .selectFrom('publisher')
    .select(['name', 'forget_buyers_after_days'])
    .where('publisher_id', '=', publisherId)
    .executeTakeFirstOrThrow();
  yield `# The program of the publisher ${publisherId} as it was at ${now.toISOString()}.`;
  yield `# Applied as it is it changes nothing: ${asTyped('provision FILE')}. Keys are named, and are no secrets here.`;
  yield 'publisher:';
  yield `  id: ${flowYaml(publisherId)}`;
  yield `  name: ${flowYaml(name)}`;
  if (forget_buyers_after_days !== null) yield `  forgetBuyersAfterDays: ${forget_buyers_after_days}`;
  yield* listLines('  ', 'apiKeys', await readKeys(tx, publisherId));
  const groups = await readGroupSettings(tx, publisherId);
  if (groups.length === 0) return;
  yield '';
  yield 'groups:';
  const said = new Set<string>();
  for (const group of groups) yield* groupLines(tx, publisherId, group, said);
}

async function* groupLines(
  tx: Tx,
  publisherId: string,
  { groupId, settings }: GroupSettings,
  said: Set<string>,
): AsyncGenerator<string> {
  const group = { publisherId, groupId };
  let indent = '  - ';
  for (const [name, value] of Object.entries(settings)) {
    yield `${indent}${name}: ${flowYaml(value)}`;
    indent = '    ';
  }
  yield* listLines(indent, 'tiers', await readTiers(tx, group));
  yield* listLines(indent, 'skuRevShares', await readSkuShares(tx, group));
  for (const [name, { things, inexpressible }] of [
    ['schedules', await readScheduleList(tx, group)],
    ['bounties', await readBountyList(tx, group)],
  ] as const) {
    for (const each of inexpressible) yield `${indent}# Left out, for no file can say it: ${each}.`;
    yield* listLines(indent, name, things);
  }
  let isFirst = true;
  for await (const members of readMemberPages(tx, group, said)) {
    yield* listLines(indent, isFirst ? 'members' : null, members);
    isFirst = false;
  }
}

/** @param name null: the list goes on */
function* listLines(
  indent: string,
  name: string | null,
  things: readonly { readonly [name: string]: Plain }[],
): Generator<string> {
  if (things.length === 0) return;
  if (name !== null) yield `${indent}${name}:`;
  for (const thing of things) yield `${indent}  - ${flowYaml(thing)}`;
}
