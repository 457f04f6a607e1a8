import { foldCode } from '../../members/read/resolve-codes.ts';
import type { Db } from '../../platform/database/database.ts';
import type { InputPath } from '../../platform/refusal.ts';
import { findPlayerCodes } from '../../player-codes/player-code.ts';
import type { Purchase } from './read-entry.ts';
import { refuseAll, refuseEntry } from './refuse-entry.ts';

/** Code that means: the one that the player had entered by then. No creator's code can have this character. */
export const codeOfPlayer = '@player';

/**
 * Replaces `@player` in purchases with the code that was in force for the player at `transactionDate`.
 * @param place returns the position of a purchase's property in the request
 * @throws Refusal InvalidInput for a purchase without a player, or whose player had no code
 */
export async function withPlayerCodes(
  db: Db,
  { publisherId, groupId }: { publisherId: string; groupId: string },
  purchases: Purchase[],
  place: (index: number, name: string) => InputPath,
): Promise<Purchase[]> {
  if (!purchases.some(({ codeFolded }) => codeFolded === codeOfPlayer)) return purchases;
  const asked = purchases.map(({ codeFolded, playerId, transactionDate }) =>
    codeFolded === codeOfPlayer && playerId !== null ? { playerId, at: transactionDate } : null,
  );
  const found = await findPlayerCodes(db, { publisherId, groupId }, asked);
  const mistakes = purchases.flatMap(({ codeFolded, playerId }, index) => {
    if (codeFolded !== codeOfPlayer || found[index] != null) return [];
    return playerId === null
      ? [refuseEntry(place(index, 'playerId'), `is required with the code ${codeOfPlayer}.`)]
      : [refuseEntry(place(index, 'code'), 'is @player, but the player had no code at the transactionDate.')];
  });
  if (mistakes.length > 0) throw refuseAll(mistakes);
  return purchases.map((purchase, index) => {
    const code = found[index]?.code;
    return code === undefined ? purchase : { ...purchase, codeFolded: foldCode(code), usesPlayerCode: true };
  });
}
