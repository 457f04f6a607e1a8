import type { Actor } from '../../audit/actor.ts';
import { recordExport } from '../../audit/record-export.ts';
import { readConnectorInputs } from '../../connectors/put-connector.ts';
import type { Db } from '../../platform/database/database.ts';
import type { Tx } from '../../platform/database/in-transaction.ts';
import { asTyped } from '../../platform/program-name.ts';
import { Refusal } from '../../platform/refusal.ts';
import { readBrand } from '../../publishers/brand/read-brand.ts';
import { readPublisher } from '../../publishers/read-publisher.ts';
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
 * Exports a publisher's whole program as a program file, from one snapshot. Applying the file to the same program has
 * no effect.
 * @throws Refusal NotFound for an unknown publisher; Conflict for a program that is too large for a file
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
          throw new Refusal(
            'Conflict',
            'The program is too large for a program file, which can be at most 50 MiB.',
          );
      }
      return `${lines.join('\n')}\n`;
    });
  await recordExport(db, actor, {
    publisherId,
    action: 'program.export',
    target: `publisher:${publisherId}`,
  });
  return text;
}

async function* programLines(tx: Tx, publisherId: string, now: Date): AsyncGenerator<string> {
  const { name, forgetBuyersAfterDays, payoutsNeed } = await readPublisher(tx, publisherId);
  yield `# The program of the publisher ${publisherId} at ${now.toISOString()}.`;
  yield `# Applying it unchanged has no effect: ${asTyped('provision FILE')}. It contains the names of keys, but no secrets.`;
  yield 'publisher:';
  yield `  id: ${flowYaml(publisherId)}`;
  yield `  name: ${flowYaml(name)}`;
  if (forgetBuyersAfterDays !== null) yield `  forgetBuyersAfterDays: ${forgetBuyersAfterDays}`;
  if (payoutsNeed.method || payoutsNeed.taxCleared) yield `  payoutsNeed: ${flowYaml(payoutsNeed)}`;
  const { accent, codeLink, logo } = await readBrand(tx, publisherId);
  if (accent !== null) yield `  accent: ${flowYaml(accent)}`;
  if (codeLink !== null) yield `  codeLink: ${flowYaml(codeLink)}`;
  if (logo !== null) yield "  # Left out, because a file can't express it: the logo.";
  yield* listLines('  ', 'apiKeys', await readKeys(tx, publisherId));
  yield* listLines('  ', 'connectors', await readConnectorInputs(tx, publisherId));
  const groups = await readGroupSettings(tx, publisherId);
  if (groups.length === 0) return;
  yield '';
  yield 'groups:';
  const seenAccounts = new Set<string>();
  for (const group of groups) yield* groupLines(tx, publisherId, group, seenAccounts);
}

async function* groupLines(
  tx: Tx,
  publisherId: string,
  { groupId, settings }: GroupSettings,
  seenAccounts: Set<string>,
): AsyncGenerator<string> {
  const group = { publisherId, groupId };
  let indent = '  - ';
  for (const [name, value] of Object.entries(settings)) {
    yield `${indent}${name}: ${flowYaml(value)}`;
    indent = '    ';
  }
  yield* listLines(indent, 'tiers', await readTiers(tx, group));
  yield* listLines(indent, 'skuRevShares', await readSkuShares(tx, group));
  for (const [name, { entries, inexpressible }] of [
    ['schedules', await readScheduleList(tx, group)],
    ['bounties', await readBountyList(tx, group)],
  ] as const) {
    for (const each of inexpressible) yield `${indent}# Left out, because a file can't express it: ${each}.`;
    yield* listLines(indent, name, entries);
  }
  let isFirst = true;
  for await (const members of readMemberPages(tx, group, seenAccounts)) {
    yield* listLines(indent, isFirst ? 'members' : null, members);
    isFirst = false;
  }
}

/** Writes the entries of a list. @param name null to continue the list */
function* listLines(
  indent: string,
  name: string | null,
  entries: readonly { readonly [name: string]: Plain }[],
): Generator<string> {
  if (entries.length === 0) return;
  if (name !== null) yield `${indent}${name}:`;
  for (const entry of entries) yield `${indent}  - ${flowYaml(entry)}`;
}
