import { sql } from 'kysely';
import { differences } from '../../audit/differences.ts';
import { maybeUrlInAudit } from '../../audit/url-in-audit.ts';
import type { AccountId } from '../../platform/database/tables.generated.ts';
import { Refusal } from '../../platform/refusal.ts';
import type { ProgramTx } from '../../publishers/changing-program.ts';
import type { MemberChanges } from './member-changes.ts';
import type { MemberInput } from './member-input.ts';

interface AccountToPut {
  publisherId: string;
  accountId: AccountId;
  input: Pick<MemberInput, 'id' | 'name' | 'logoImage' | 'profileImage'>;
  changes: MemberChanges;
}

/**
 * Creates a member's account, or updates the parts that the input specifies. Part of `putMember`. A new account belongs
 * to its publisher until a creator claims it. An account with another owner is accepted only if it is already a member
 * of one of the publisher's groups. In that case, its name, global codes and identities don't change.
 */
export async function putAccount(
  tx: ProgramTx,
  { publisherId, accountId, input, changes }: AccountToPut,
): Promise<{ ownership: 'own' | 'foreign' | 'closed'; isNew: boolean }> {
  const { name, logoImage, profileImage } = input;
  const account = await lockAccount(tx, publisherId, accountId);
  if (account === null) {
    const created = {
      name: name ?? input.id,
      ...(logoImage !== undefined && { logoImage }),
      ...(profileImage !== undefined && { profileImage }),
    };
    await tx
      .insertInto('creator_account')
      .values({
        account_id: accountId,
        owner_publisher_id: publisherId,
        name: created.name,
        ...imagesOf(created),
      })
      .execute();
    changes.addAccountFacts({}, inAudit(created));
    return { ownership: 'own', isNew: true };
  }
  if (account.owner_publisher_id !== publisherId) {
    if (account.is_member && account.is_closed) return { ownership: 'closed', isNew: false };
    if (account.is_member) return { ownership: 'foreign', isNew: false };
    throw new Refusal(
      'Conflict',
      `account ${input.id} doesn't belong to publisher ${publisherId}; use another id`,
      { path: ['id'] },
    );
  }
  if (account.is_closed) return { ownership: 'closed', isNew: false };
  const stored = { name: account.name, logoImage: account.logo_image, profileImage: account.profile_image };
  const change = differences(stored, { name, logoImage, profileImage });
  if (change === null) return { ownership: 'own', isNew: false };
  await tx
    .updateTable('creator_account')
    .set({ ...(change.after.name !== undefined && { name: change.after.name }), ...imagesOf(change.after) })
    .where('account_id', '=', accountId)
    .execute();
  changes.addAccountFacts(inAudit(change.before), inAudit(change.after));
  return { ownership: 'own', isNew: false };
}

async function lockAccount(tx: ProgramTx, publisherId: string, accountId: AccountId) {
  const { rows } = await sql<{
    owner_publisher_id: string | null;
    name: string;
    logo_image: string | null;
    profile_image: string | null;
    is_closed: boolean;
    is_member: boolean;
  }>`
    select a.owner_publisher_id, a.name, a.logo_image, a.profile_image, a.closed_at is not null as is_closed,
           exists (select 1 from membership m where m.publisher_id = ${publisherId} and m.account_id = a.account_id) as is_member
    from creator_account a
    where a.account_id = ${accountId}
    for no key update of a`.execute(tx);
  return rows[0] ?? null;
}

type Images = { readonly [Name in 'logoImage' | 'profileImage']?: string | null | undefined };

const imagesOf = ({ logoImage, profileImage }: Images) => ({
  ...(logoImage !== undefined && { logo_image: logoImage }),
  ...(profileImage !== undefined && { profile_image: profileImage }),
});

/** Returns the values for the audit log, with shortened image URLs. Comparisons use the full URLs. */
const inAudit = (facts: Images & { readonly name?: string }) => ({
  ...facts,
  ...(facts.logoImage !== undefined && { logoImage: maybeUrlInAudit(facts.logoImage) }),
  ...(facts.profileImage !== undefined && { profileImage: maybeUrlInAudit(facts.profileImage) }),
});
