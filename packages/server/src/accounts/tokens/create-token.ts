import type { Actor } from '../../audit/actor.ts';
import { recordChange, storedActorId, storedActorName } from '../../audit/record-change.ts';
import type { Db } from '../../platform/database/database.ts';
import { sqlState } from '../../platform/database/database-errors.ts';
import { inTransaction } from '../../platform/database/in-transaction.ts';
import { randomBase62 } from '../../platform/ids.ts';
import { requireVisible } from '../../platform/inputs.ts';
import { Refusal } from '../../platform/refusal.ts';
import { requirePublisher } from '../../publishers/require-publisher.ts';
import { refuseSandbox } from '../../publishers/sandboxes.ts';
import type { Role } from '../roles.ts';
import { hashToken, newToken } from './token-format.ts';

export interface AskedToken {
  publisherId: string;
  /** 1 … 255 characters; no other token of the publisher that is not revoked has it. */
  name: string;
  role: Role;
  expiresAt: Date;
}

export interface CreatedToken {
  tokenId: string;
  /** The token itself, which is not stored and cannot be shown again. */
  token: string;
}

/**
 * Issues a token, with which a program does what a role may without a browser.
 * @param actor whoever answers for what is done with it
 * @throws Refusal NotFound for a publisher that does not exist, Conflict when the name is in use, InvalidInput
 */
export const createToken = (db: Db, actor: Actor, asked: AskedToken, now: Date): Promise<CreatedToken> =>
  inTransaction(db, async (tx) => {
    const { publisherId, name, role, expiresAt } = asked;
    await requirePublisher(tx, publisherId);
    await refuseSandbox(tx, publisherId);
    if (name.length < 1 || name.length > 255)
      throw new Refusal('InvalidInput', 'The name of a token must have 1 to 255 characters.', {
        path: ['name'],
      });
    requireVisible(name, ['name']);
    if (expiresAt <= now)
      throw new Refusal('InvalidInput', 'The moment at which the token expires is in the past.', {
        path: ['expiresAt'],
      });
    const token = newToken();
    const tokenId = `tok_${randomBase62(16)}`;
    try {
      await tx
        .insertInto('operator_token')
        .values({
          token_hash: hashToken(token),
          token_id: tokenId,
          publisher_id: publisherId,
          name,
          role,
          expires_at: expiresAt,
          created_by_kind: actor.kind,
          created_by_id: storedActorId(actor.id),
          created_by_name: storedActorName(actor.name),
        })
        .execute();
    } catch (error) {
      if (sqlState(error) !== '23505') throw error;
      throw new Refusal(
        'Conflict',
        `There is a token named ${name} already; revoke it, or take another name.`,
      );
    }
    await recordChange(tx, actor, {
      publisherId,
      action: 'token.create',
      target: `token:${tokenId}`,
      after: { name, role, expiresAt },
    });
    return { tokenId, token };
  });
