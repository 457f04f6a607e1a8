import { sql } from 'kysely';
import { actorOf, type RequestSource } from '../audit/actor.ts';
import { recordChange } from '../audit/record-change.ts';
import { removeIdentity } from '../members/change/remove-identity.ts';
import { publishersOf } from '../members/read/publishers-of.ts';
import type { Db } from '../platform/database/database.ts';
import { inTransaction, type Tx } from '../platform/database/in-transaction.ts';
import type { AccountId } from '../platform/database/tables.generated.ts';
import { Refusal } from '../platform/refusal.ts';
import { changingProgram } from '../publishers/changing-program.ts';
import { setGate } from '../settlement/gates/set-gate.ts';
import { connectAccount, lockAccount } from './connect-account.ts';
import { type PublisherOfCreator, readPublishersOf } from './own-accounts.ts';
import type { Provider } from './providers/provider.ts';

/** Creator account for which a publisher names one of the person's provider accounts, and which no one has yet. */
export interface NamedAccount {
  /** The person's sign-in method that the publisher names. */
  signInMethodId: string;
  name: string;
  provider: string;
  publishers: PublisherOfCreator[];
}

interface Naming {
  signInMethodId: string;
  accountId: AccountId;
  name: string;
  provider: string;
  /** The provider's id for the account. */
  id: string;
}

interface Person {
  userId: string;
  /** Providers that the settings turn on. */
  providers: readonly Pick<Provider, 'id' | 'issuer'>[];
}

/** Lists the accounts that the person can connect or refuse. */
export async function listNamedAccounts(db: Db, person: Person): Promise<NamedAccount[]> {
  const found = await findNamings(db, person);
  const publishers = await readPublishersOf(
    db,
    found.map(({ accountId }) => accountId),
  );
  return found.map(({ id: _, accountId, ...each }) => ({
    ...each,
    publishers: publishers.get(accountId) ?? [],
  }));
}

/**
 * Connects an account, because the person has signed in at the provider account that a publisher names for it. Before that, the
 * creator is put under review at each publisher: someone may have stolen the provider account, and must not be paid.
 * @throws Refusal NotFound if no account of the person is named; Conflict if another person has the account
 */
export async function connectNamedAccount(
  db: Db,
  person: Person,
  { signInMethodId, source, now }: { signInMethodId: string; source: RequestSource; now: Date },
): Promise<void> {
  const { accountId, name, provider } = await requireNaming(db, person, signInMethodId);
  const actor = actorOf({ kind: 'creator', accountId, name }, source);
  const publishers = (await readPublishersOf(db, [accountId])).get(accountId) ?? [];
  for (const { publisherId } of publishers)
    await setGate(db, actor, {
      ...{ publisherId, memberId: accountId, kind: 'review', from: null, until: null },
      note: `Connected to the portal by the ${provider} account that you named. Check that it is the creator before you end this review.`,
    }).catch((error) => {
      // The creator is under review already.
      if (!(error instanceof Refusal && error.code === 'Conflict')) throw error;
    });
  await inTransaction(db, async (tx) => {
    await lockAccount(tx, accountId);
    const naming = await requireNaming(tx, person, signInMethodId);
    if (naming.accountId !== accountId) throw notNamed();
    await connectAccount(tx, { userId: person.userId, accountId, proof: 'provider', source, now });
  });
}

/**
 * Removes the person's provider accounts from a creator account that isn't theirs, so that the publisher can correct its program.
 * @throws Refusal NotFound if no account of the person is named
 */
export const refuseNamedAccount = (
  db: Db,
  person: Person,
  { signInMethodId, source }: { signInMethodId: string; source: RequestSource },
): Promise<void> =>
  inTransaction(db, async (tx) => {
    const { accountId } = await requireNaming(tx, person, signInMethodId);
    const publishers = await publishersOf(tx, [accountId]);
    const [first = ''] = publishers;
    await changingProgram(tx, first, async (tx) => {
      const { name, provider, id } = await requireNaming(tx, person, signInMethodId);
      await removeIdentity(tx, { accountId, provider, id });
      for (const publisherId of publishers)
        await recordChange(tx, actorOf({ kind: 'creator', accountId, name }, source), {
          ...{ publisherId, action: 'portal.refuse-identity', target: `member:${accountId}` },
          before: { provider },
        });
    });
  });

async function requireNaming(db: Db | Tx, person: Person, signInMethodId: string): Promise<Naming> {
  const found = (await findNamings(db, person)).find((each) => each.signInMethodId === signInMethodId);
  if (found === undefined) throw notNamed();
  return found;
}

const notNamed = (): Refusal =>
  new Refusal(
    'NotFound',
    'No publisher names this account of yours for a creator, or the creator account is connected already. Reload the page.',
  );

/** Finds the identities of open, unconnected accounts that are provider accounts of the person, at the issuers in use. */
async function findNamings(db: Db | Tx, { userId, providers }: Person): Promise<Naming[]> {
  const { rows } = await sql<{
    method_id: string;
    account_id: AccountId;
    name: string;
    provider: string;
    id: string;
  }>`
    select p.sign_in_method_id as method_id, i.account_id, a.name, i.provider, i.provider_account_id as id
    from portal_provider_account p
    join unnest(${providers.map(({ id }) => id)}::text[], ${providers.map(({ issuer }) => issuer)}::text[])
      as used (provider, issuer) on used.provider = p.provider and used.issuer = p.issuer
    join creator_identity i on i.provider = p.provider and i.provider_account_id = p.subject
    join creator_account a on a.account_id = i.account_id
    where p.user_id = ${userId} and a.closed_at is null
      and not exists (select 1 from portal_user_account c where c.account_id = i.account_id)
    order by a.name, i.account_id, i.provider
    limit 50`.execute(db);
  return rows.map(({ method_id, account_id, ...rest }) => ({
    signInMethodId: method_id,
    accountId: account_id,
    ...rest,
  }));
}
