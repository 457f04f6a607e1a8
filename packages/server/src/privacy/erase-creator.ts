import { eraseCreditedMember } from '../attributions/erase-credited-member.ts';
import type { Actor } from '../audit/actor.ts';
import { redactEntries } from '../audit/redact-entries.ts';
import { erasePlayers } from '../bounties/count/erase-players.ts';
import { eraseAuthCodes } from '../linking/erase-auth-codes.ts';
import {
  readCodesOf,
  replaceGlobalCodes,
  replaceGroupCodes,
  replacingCodes,
} from '../members/erase/erase-codes.ts';
import { blankAccounts, blankMemberships, removeMemberships } from '../members/erase/erase-memberships.ts';
import { type CreatorAtPublisher, readCreator, readNames } from '../members/erase/read-creator.ts';
import { eraseNotices } from '../notices/end-notices.ts';
import { eraseMethods } from '../payees/erase-methods.ts';
import type { Clock } from '../platform/clock.ts';
import type { Db } from '../platform/database/database.ts';
import { type CountedCommit, inTransaction } from '../platform/database/in-transaction.ts';
import type { AccountId } from '../platform/database/tables.generated.ts';
import type { Sealer } from '../platform/secrets/sealer.ts';
import { serviceSecret } from '../platform/secrets/service-secret.ts';
import { erasePerson, readAddresses } from '../portal/erase-person.ts';
import { changingProgram } from '../publishers/changing-program.ts';
import { erasePayoutChanges } from '../settlement/erase/erase-payout-changes.ts';
import { isCreatorHeld } from '../settlement/erase/read-owed.ts';
import { holdCreator } from '../settlement/holds/hold-creator.ts';
import { lockForPosting } from '../settlement/settlement-lock.ts';
import { containsAny, eraseInEvents } from '../webhooks/erase-in-events.ts';
import { auditedCommits, singleEntry } from './audited-commits.ts';
import { checkLocked, checkOpenMoney, type GivenUp } from './check-open-money.ts';
import { replaceCodesInPurchases } from './replace-codes.ts';
import { withoutCreator } from './rewrite-creator.ts';

export interface ErasureDeps {
  db: Db;
  sealer: Sealer;
  clock: Clock;
}

export interface CreatorErasure {
  accountId: AccountId;
  /** True if the codes are replaced too. Otherwise, they are kept and reserved. */
  replacesCodes: boolean;
  /** Amounts that are given up. */
  givenUp: readonly GivenUp[];
  /** Reason for the audit log. It must not name the creator. */
  reason: string | null;
}

/** Numbers of rows that an erasure changed. */
export interface ErasedCreator {
  publishers: string[];
  /** Memberships that were removed. */
  removed: number;
  /** Accounts, memberships, notes, tags, logins, sign-ins and payout methods. */
  personal: number;
  /** Stored webhook events and custom events. */
  events: number;
  auditEntries: number;
  /** Rows of purchases whose code was replaced. */
  codes: number;
}

/** Returns whether an erasure changed anything. */
export const changedCreator = ({ removed, personal, events, auditEntries, codes }: ErasedCreator): boolean =>
  removed + personal + events + auditEntries + codes > 0;

/**
 * Erases a creator at all publishers. Ids, amounts and sums stay. Each commit is complete, so an erasure that was killed can be
 * repeated, and then erases the rest. What the account is found by is blanked last, so that a repeated erasure still knows
 * what to look for.
 * @param begin called before the first change
 * @throws Refusal NotFound; Conflict while money is owed, and for an account that another one has claimed
 */
export async function eraseCreator(
  deps: ErasureDeps,
  actor: Actor,
  erasure: CreatorErasure,
  begin: () => void = () => undefined,
): Promise<ErasedCreator> {
  const { db, sealer } = deps;
  const { accountId, replacesCodes, givenUp, reason } = erasure;
  const creator = await readCreator(db, accountId);
  const { accountIds, publishers } = creator;
  const owing = await checkOpenMoney(db, publishers, givenUp);
  begin();
  const names = [...(await readNames(db, accountIds)), ...(await readAddresses(db, accountIds))];
  const replace = replacesCodes ? replacingCodes(await serviceSecret(db, 'erased codes', sealer)) : null;
  const done: ErasedCreator = {
    ...{ publishers: publishers.map(({ publisherId }) => publisherId), removed: 0 },
    ...{ personal: 0, events: 0, auditEntries: 0, codes: 0 },
  };
  const works = publishers.map((at) => {
    const entry = singleEntry(actor, {
      publisherId: at.publisherId,
      action: 'member.erase',
      target: `member:${accountId}`,
      after: { erased: true },
      reason,
    });
    return { at, entry, commit: auditedCommits(db, [entry]) };
  });
  // For what belongs to no publisher alone.
  const commitOfAll = auditedCommits(
    db,
    works.map(({ entry }) => entry),
  );
  for (const { at, commit } of works) {
    if (owing.has(at.publisherId)) await hold(db, actor, at.publisherId, accountId);
    done.removed += await remove(commit, accountIds, at, givenUp);
  }
  const redactions: (() => Promise<void>)[] = [];
  for (const { at, commit } of works) {
    const { publisherId, membershipIds } = at;
    const codes = replace === null ? [] : await readCodesOf(db, { accountIds, ...at });
    if (replace !== null) done.codes += await replaceCodesInPurchases(db, commit, at, replace);
    done.events += await erasePlayers(db, commit, { publisherId, playerIds: at.playerIds, endId: null });
    done.personal += await erasePayoutChanges(commit, publisherId, accountIds);
    const found = [...names, ...at.playerIds, ...at.displayNames, ...at.wantedCodes, ...codes];
    const texts = found.filter((text) => text.length > 1);
    const redact = async (): Promise<void> => {
      for (const each of accountIds)
        done.auditEntries += await redactEntries(db, actor, { publisherId, accountId: each, texts });
    };
    redactions.push(redact);
    await redact();
    done.personal += await commit((tx) =>
      changingProgram(tx, publisherId, async (tx) => {
        const of = { publisherId, accountIds, membershipIds };
        const blanked = await blankMemberships(tx, of);
        const methods = await eraseMethods(tx, actor, publisherId, accountIds);
        const groupCodes = replace === null ? 0 : await replaceGroupCodes(tx, of, replace);
        return blanked + methods + groupCodes;
      }),
    );
  }
  done.personal += await commitOfAll(async (tx) => {
    // Every change of an account locks the account itself.
    const blanked = await changingProgram(tx, `account ${accountId}`, async (tx) => {
      const accounts = await blankAccounts(tx, accountIds, deps.clock.now());
      return accounts + (replace === null ? 0 : await replaceGlobalCodes(tx, accountIds, replace));
    });
    return blanked + (await eraseAuthCodes(tx, accountIds));
  });
  // Events come after the rows, because one that is published before the rows are blanked repeats what they contain. A publisher of
  // events has locked the membership before reading it, so events with a player id have committed by now. They are found by
  // ids that stay. The audit log may have new entries about changes that were made meanwhile.
  const codeFor = replace ?? ((code: string) => code);
  for (const { at, commit } of works) {
    const { publisherId, membershipIds } = at;
    done.events += await eraseCreditedMember(db, commit, { publisherId, membershipIds, codeFor });
    done.events += await eraseInEvents(db, commit, {
      ...{ publisherId, endId: null, isSought: containsAny(accountIds) },
      rewrite: (payload) => withoutCreator(payload, { accountIds, codeFor }),
    });
  }
  for (const redact of redactions) await redact();
  // The person who requested the erasure in the portal leads a repeated erasure to the accounts.
  done.personal += await commitOfAll(async (tx) => {
    let erased = await erasePerson(tx, accountIds);
    // The creator may have entered a payout method until now. Without the connection, no later request can.
    for (const { publisherId } of publishers) {
      erased += await eraseMethods(tx, actor, publisherId, accountIds);
      erased += await eraseNotices(tx, publisherId, accountIds);
    }
    return erased;
  });
  return done;
}

/** Keeps what the creator gives up out of payouts. It stays in the ledger as owed, and on hold. */
async function hold(db: Db, actor: Actor, publisherId: string, memberId: AccountId): Promise<void> {
  if (await inTransaction(db, (tx) => isCreatorHeld(tx, publisherId, memberId))) return;
  const reason = 'Given up by the creator, who was erased.';
  await holdCreator(db, actor, { publisherId, memberId, groupId: null, endsAt: null, reason });
}

/** Removes the memberships at a publisher, once no money is open under the locks of payouts and postings. */
const remove = (
  commit: CountedCommit,
  accountIds: readonly AccountId[],
  at: CreatorAtPublisher,
  givenUp: readonly GivenUp[],
): Promise<number> =>
  commit(async (tx) => {
    await lockForPosting(tx, at.publisherId);
    return changingProgram(tx, at.publisherId, async (tx) => {
      await checkLocked(tx, at, givenUp);
      return removeMemberships(tx, { ...at, accountIds });
    });
  });
