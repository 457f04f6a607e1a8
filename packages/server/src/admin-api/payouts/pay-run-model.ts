import { Type } from 'typebox';
import { needsAnotherPerson } from '../../accounts/needs-another-person.ts';
import type { Actor } from '../../audit/actor.ts';
import { findExported } from '../../audit/exported-payouts.ts';
import type { Db } from '../../platform/database/database.ts';
import { readReductions } from '../../settlement/payouts/create/reductions.ts';
import type { PayoutPerson } from '../../settlement/payouts/read/read-payouts.ts';
import { getPayRun, type PayRunLine, readRunLines } from '../../settlement/payouts/runs/read-pay-runs.ts';
import { minor, nullable, time } from '../schemas.ts';
import { payoutChange } from './payout-change-schema.ts';
import { actorSummary, payout, toPayout } from './payout-model.ts';
import { reductions, toReductions } from './reduction-schema.ts';

export const payRun = Type.Object(
  {
    payRunId: Type.String(),
    asOf: time('Cutoff of all payouts of the run.'),
    startedAt: time('When the run was started.'),
    startedBy: actorSummary,
    isDone: Type.Boolean({
      description: 'False while payouts are waiting; the run continues in the background.',
    }),
    counts: Type.Object(
      {
        waiting: Type.Integer({ description: 'Payouts that are not created yet.' }),
        failed: Type.Integer({ description: 'Payouts that could not be created.' }),
        toPay: Type.Integer({ description: 'Payouts that are not marked as paid yet.' }),
        paid: Type.Integer({ description: 'Payouts that are marked as paid.' }),
        canceled: Type.Integer({ description: 'Payouts that were canceled after they were created.' }),
      },
      { title: 'PayRunCounts' },
    ),
  },
  { title: 'PayRun', description: 'Payouts for several groups and currencies, with one cutoff.' },
);

const payRunLine = Type.Object(
  {
    groupId: Type.String(),
    currency: Type.String(),
    totalMinor: minor('Total that was confirmed when the run was started.'),
    payout: nullable(payout),
    needsAnother: Type.Boolean({
      description:
        'True if the publisher requires a second person to mark payouts as paid, and the caller created this payout, directly or with a token.',
    }),
    isExported: Type.Boolean({ description: 'True if anyone has downloaded a file of this payout.' }),
    failure: nullable(
      Type.Object(
        {
          code: Type.String({
            description: 'Error code, the same as when the payout is created on its own.',
          }),
          message: Type.String(),
          payoutChange: nullable(payoutChange),
        },
        { title: 'PayRunFailure', description: 'Reason the payout was not created.' },
      ),
    ),
  },
  {
    title: 'PayRunLine',
    description: 'Payout of a group in a currency. It is waiting if it has neither a payout nor a failure.',
  },
);

export const payRunWithLines = Type.Object(
  { run: payRun, lines: Type.Array(payRunLine), reductions },
  { title: 'PayRunWithLines' },
);

export const payRunPath = Type.Object({
  payRunId: Type.String({ minLength: 1, maxLength: 64, pattern: '^[0-9A-Za-z-]+$' }),
});

/** Reads a run with its lines, as the caller sees it. */
export async function readRunWithLines(db: Db, actor: Actor, publisherId: string, named: string) {
  const run = await getPayRun(db, publisherId, named);
  const lines = await readRunLines(db, publisherId, run.payRunId);
  const another = await whoNeedAnother(db, actor, publisherId, lines);
  const payoutIds = lines.flatMap(({ payout }) => payout?.batchId ?? []);
  const exported = await findExported(db, publisherId, payoutIds);
  const reduced = await readReductions(db, publisherId, payoutIds);
  return {
    run,
    reductions: toReductions(reduced),
    lines: lines.map(({ payout, failure, ...line }) => ({
      ...line,
      payout: payout && toPayout(payout),
      needsAnother: payout?.status === 'Created' && another.has(keyOf(payout.createdBy)),
      isExported: payout !== null && exported.has(payout.batchId),
      failure: failure as typeof failure & { payoutChange: never },
    })),
  };
}

/**
 * Returns the actors whose payouts the caller can't mark as paid. Usually, one actor created the whole run.
 */
async function whoNeedAnother(
  db: Db,
  { kind, id }: Actor,
  publisherId: string,
  lines: readonly PayRunLine[],
): Promise<ReadonlySet<string>> {
  const creators = new Map(lines.map(({ payout }) => [keyOf(payout?.createdBy), payout?.createdBy ?? null]));
  const found = new Set<string>();
  for (const [key, createdBy] of creators)
    if (await needsAnotherPerson(db, publisherId, createdBy, { kind, id })) found.add(key);
  return found;
}

const keyOf = (person: PayoutPerson | null | undefined): string =>
  person ? `${person.kind} ${person.id}` : '';
