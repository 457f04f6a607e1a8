import { type Static, Type } from 'typebox';
import type { Actor } from '../audit/actor.ts';
import { recordChange } from '../audit/record-change.ts';
import { inputName } from '../platform/inputs.ts';
import type { ProgrammeTx } from './changing-programme.ts';

export const publisherInput = Type.Object({
  id: Type.String({
    pattern: '^[a-z0-9][a-z0-9_-]{0,63}$',
    description: '1 to 64 small letters, digits, _ and -',
  }),
  name: Type.Optional(inputName),
});

export type PublisherInput = Static<typeof publisherInput>;

/**
 * Makes a publisher, or names it anew. The name is nothing that recording reads. What takes long names the publisher
 * last: it locks the publisher's row, which others' changes may need.
 * @returns whether anything is different now
 */
export async function putPublisher(
  tx: ProgrammeTx,
  actor: Actor,
  { id, name }: PublisherInput,
): Promise<boolean> {
  const before = await tx
    .selectFrom('publisher')
    .select('name')
    .where('publisher_id', '=', id)
    .executeTakeFirst();
  if (before !== undefined && (name === undefined || before.name === name)) return false;
  const after = { name: name ?? id };
  if (before === undefined) {
    await tx
      .insertInto('publisher')
      .values({ publisher_id: id, ...after })
      .execute();
  } else await tx.updateTable('publisher').set(after).where('publisher_id', '=', id).execute();
  await recordChange(tx, actor, {
    publisherId: id,
    action: 'publisher.put',
    target: `publisher:${id}`,
    before: before ?? null,
    after,
  });
  return true;
}
