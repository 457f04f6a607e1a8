import { sql } from 'kysely';
import type { KeyKind } from '../api-keys/key-format.ts';
import { createKey } from '../api-keys/manage-keys.ts';
import { publishersOf } from '../members/publishers-of.ts';
import type { Db } from '../platform/database/database.ts';
import { inTransaction, type Tx } from '../platform/database/in-transaction.ts';
import type { AccountId } from '../platform/database/tables.generated.ts';
import { toAccountId } from '../platform/ids.ts';
import { OperatorError } from '../platform/operator-error.ts';
import { changingProgramme, programmeChanged } from '../publishers/changing-programme.ts';
import { applyBounties, lockForBounties } from './apply-bounties.ts';
import { applyGroup, chooseDefaultGroup } from './apply-group.ts';
import { applyMember } from './apply-member.ts';
import { applySchedules } from './apply-schedules.ts';
import type { ProgramFile } from './read-program.ts';

export interface CreatedKey {
  name: string;
  kind: KeyKind;
  group?: string;
  /** The key itself, shown this once. */
  key: string;
}

export interface AppliedProgram {
  publisher: string;
  groups: number;
  members: number;
  /** Accounts left alone, because creators claimed them. */
  claimed: string[];
  keys: CreatedKey[];
}

/**
 * Applies a program file in one commit; applied again it changes nothing.
 * @returns what it named, and the keys it made
 * @throws OperatorError naming the line of what cannot be
 */
export function applyProgramFile(db: Db, file: ProgramFile): Promise<AppliedProgram> {
  const { publisher, groups = [] } = file.program;
  return inTransaction(db, async (tx) => {
    await lockForBounties(tx, file);
    return changingProgramme(tx, publisher.id, async (tx) => {
      await makePublisher(tx, publisher.id, publisher.name);
      const said = [];
      for (const [index] of groups.entries()) said.push(await applyGroup(tx, file, index));
      said.push(await chooseDefaultGroup(tx, publisher.id, groups));
      // Before members are changed: counting locks all of them in their order.
      for (const [index] of groups.entries()) await applyBounties(tx, file, index);
      const claimed = new Set<string>();
      const accounts: AccountId[] = [];
      for (const [groupIndex, group] of groups.entries()) {
        await applySchedules(tx, file, groupIndex);
        for (const [memberIndex, { id }] of (group.members ?? []).entries()) {
          const { isClaimed, isChanged, isAccountChanged } = await applyMember(
            tx,
            file,
            groupIndex,
            memberIndex,
          );
          if (isClaimed) claimed.add(id);
          if (isAccountChanged) accounts.push(toAccountId(id));
          said.push(isChanged);
        }
      }
      const keys = await applyKeys(tx, file);
      if (said.includes(true)) programmeChanged(tx, publisher.id);
      // What the file says of an account is so wherever else the account is a member.
      for (const each of await publishersOf(tx, accounts)) programmeChanged(tx, each);
      await namePublisher(tx, publisher.id, publisher.name);
      return {
        publisher: publisher.id,
        groups: groups.length,
        members: groups.reduce((count, group) => count + (group.members?.length ?? 0), 0),
        claimed: [...claimed],
        keys,
      };
    });
  });
}

export function printAppliedProgram(
  applied: AppliedProgram,
  json: boolean,
  print: (line: string) => void,
): void {
  if (json) {
    print(JSON.stringify({ publisher: applied.publisher, keys: applied.keys }));
    return;
  }
  print(
    `Publisher ${applied.publisher}: ${applied.groups} group(s), ${applied.members} member(s) as the file says.`,
  );
  if (applied.claimed.length > 0)
    print(`Left alone, because creators claimed them: ${applied.claimed.join(', ')}.`);
  if (applied.keys.length === 0) return;
  print('New keys, shown this once:');
  for (const { name, kind, group, key } of applied.keys) {
    print(`  ${`${name} (${kind}${group === undefined ? '' : `, group ${group}`})`.padEnd(32)} ${key}`);
  }
}

async function makePublisher(tx: Tx, publisherId: string, name: string | undefined): Promise<void> {
  await tx
    .insertInto('publisher')
    .values({ publisher_id: publisherId, name: name ?? publisherId })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Late, because it locks the publisher's row, which others' changes may need. No recording reads the name. */
async function namePublisher(tx: Tx, publisherId: string, name: string | undefined): Promise<void> {
  if (name === undefined) return;
  await tx
    .updateTable('publisher')
    .set({ name })
    .where('publisher_id', '=', publisherId)
    .where('name', '<>', name)
    .execute();
}

/** A key is known by its name: one that was made before, revoked or not, is left alone. */
async function applyKeys(tx: Tx, { program, errorAt }: ProgramFile): Promise<CreatedKey[]> {
  const { id, apiKeys = [] } = program.publisher;
  const created: CreatedKey[] = [];
  for (const [index, { name, kind, group, value }] of apiKeys.entries()) {
    const known =
      await sql`select from api_key where publisher_id = ${id} and name = ${name} limit 1`.execute(tx);
    if (known.rows.length > 0) continue;
    const issued = await createKey(tx, id, {
      name,
      kind: kind as KeyKind,
      groupId: group ?? null,
      expiresAt: null,
      value,
    }).catch((error) => {
      if (!(error instanceof OperatorError)) throw error;
      throw errorAt(['publisher', 'apiKeys', index], error.message);
    });
    created.push({ name, kind: kind as KeyKind, ...(group !== undefined && { group }), key: issued.key });
  }
  return created;
}
