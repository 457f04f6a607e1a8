import { resolveCodes } from '../../members/read/resolve-codes.ts';
import type { Db } from '../../platform/database/database.ts';
import { type InputPath, Refusal } from '../../platform/refusal.ts';
import { attachCode, isTooLate } from '../../player-codes/attach-code.ts';
import type { CreatorGroup, Program } from '../../publishers/programs.ts';
import type { Purchase } from './read-entry.ts';
import { refuseAll, refuseEntry } from './refuse-entry.ts';

/** Maximum number of codes that a request can attach, because each is a commit of its own. */
const maxAttached = 100;

interface CodesToAttach {
  program: Program;
  group: CreatorGroup;
  purchases: readonly Purchase[];
  now: Date;
}

/**
 * Checks before recording that the codes of purchases can be attached to their players (`attach=true`), so that a request is rejected
 * as a whole. Purchases with `@player` keep the code that the player has.
 * @param place returns the position of a purchase's property in the request
 * @throws Refusal InvalidInput
 */
export async function requireAttachable(
  db: Db,
  { program, group, purchases, now }: CodesToAttach,
  place: (index: number, name: string) => InputPath,
): Promise<void> {
  const codes = new Set(purchases.map(({ codeFolded }) => codeFolded));
  const members = await resolveCodes(db, program, group.groupId, codes);
  const attached = new Map<string, string>();
  const mistakes = purchases.flatMap((purchase, index) => {
    const { playerId, codeFolded, transactionDate, usesPlayerCode } = purchase;
    if (usesPlayerCode) return [];
    if (playerId === null) return [refuseEntry(place(index, 'playerId'), 'is required with attach=true.')];
    if (isTooLate(transactionDate, now))
      return [refuseEntry(place(index, 'transactionDate'), 'must not be in the future with attach=true.')];
    if (members.get(codeFolded)?.playerId === playerId)
      return [
        refuseEntry(
          place(index, 'code'),
          'is the player’s own, so it can’t be attached. Send it without attach=true.',
        ),
      ];
    const other = attached.get(keyOf(purchase));
    attached.set(keyOf(purchase), codeFolded);
    return other === undefined || other === codeFolded
      ? []
      : [
          refuseEntry(
            place(index, 'code'),
            'is a second code of the player at the same time, and only one can be attached.',
          ),
        ];
  });
  if (attached.size > maxAttached)
    throw new Refusal(
      'InvalidInput',
      `With attach=true, a request can have up to ${maxAttached} players’ codes.`,
    );
  if (mistakes.length > 0) throw refuseAll(mistakes);
}

/**
 * Attaches the codes of recorded purchases to their players, each from `transactionDate`. Repeating it changes nothing.
 * @returns false if a creator has left the group since the purchase was recorded, so that the code credits no one anymore
 */
export async function attachSentCodes(
  db: Db,
  { program, group, purchases, now }: CodesToAttach,
): Promise<boolean> {
  const toAttach = new Map(
    purchases.filter(({ usesPlayerCode }) => !usesPlayerCode).map((purchase) => [keyOf(purchase), purchase]),
  );
  let areAttached = true;
  for (const { playerId, codeFolded, transactionDate } of toAttach.values()) {
    if (playerId === null) continue;
    const code = { program, group, playerId, code: codeFolded, at: transactionDate, now };
    await attachCode(db, code).catch((error) => {
      if (!(error instanceof Refusal)) throw error;
      areAttached = false;
    });
  }
  return areAttached;
}

const keyOf = ({ playerId, transactionDate }: Purchase): string =>
  JSON.stringify([playerId, transactionDate.getTime()]);
