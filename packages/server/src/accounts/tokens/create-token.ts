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

export interface NewToken {
  publisherId: string;
  /** 1 to 255 characters, unique among the publisher's unrevoked tokens. */
  name: string;
  role: Role;
  expiresAt: Date;
}

export interface CreatedToken {
  tokenId: string;
  /** Token in plain text. It isn't stored and can't be shown again. */
  token: string;
}

/**
 * Creates an operator token, which gives a script the permissions of a role.
 * @param actor person responsible for everything done with the token
 * @throws Refusal NotFound for an unknown publisher, Conflict if the name is in use, InvalidInput
 */
export const createToken = (db: Db, actor: Actor, input: NewToken, now: Date): Promise<CreatedToken> =>
  inTransaction(db, async (tx) => {
    const { publisherId, name, role, expiresAt } = input;
    await requirePublisher(tx, publisherId);
    await refuseSandbox(tx, publisherId);
    if (name.length < 1 || name.length > 255)
      throw new Refusal('InvalidInput', 'The token name must be 1 to 255 characters long.', {
        path: ['name'],
      });
    requireVisible(name, ['name']);
    if (expiresAt <= now)
      throw new Refusal('InvalidInput', 'The expiry time is in the past. Choose a later time.', {
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
        `There is already a token named ${name}. Choose another name, or revoke that token first.`,
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
