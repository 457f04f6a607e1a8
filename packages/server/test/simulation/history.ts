import { sql } from 'kysely';
import { expect } from 'vitest';
import { serviceActor } from '../../src/audit/actor.ts';
import { authCodeSecret, issueAuthCode } from '../../src/linking/issue-auth-code.ts';
import type { Db } from '../../src/platform/database/database.ts';
import type { PayoutBatchId, TierId } from '../../src/platform/database/tables.generated.ts';
import { Refusal } from '../../src/platform/refusal.ts';
import { loadProgramme } from '../../src/publishers/programmes.ts';
import { createSchedule } from '../../src/revenue-shares/schedules/create-schedule.ts';
import { deleteSchedule } from '../../src/revenue-shares/schedules/delete-schedule.ts';
import { replaceSchedule } from '../../src/revenue-shares/schedules/replace-schedule.ts';
import { cancelPayout } from '../../src/settlement/payouts/cancel-payout.ts';
import { createPayout } from '../../src/settlement/payouts/create/create-payout.ts';
import { previewPayout } from '../../src/settlement/payouts/create/preview-payout.ts';
import { markPayoutPaid } from '../../src/settlement/payouts/mark-payout-paid.ts';
import { resumePayouts } from '../../src/settlement/payouts/resume-payouts.ts';
import { verifyLedger } from '../../src/settlement/verify/verify-ledger.ts';
import { purchase } from '../fixtures.ts';
import { operations } from '../money.ts';
import { testSealer } from '../sealer.ts';
import { testActor } from '../test-actor.ts';
import type { TestService } from '../test-service.ts';
import { transactionPath, transactionsPath } from '../transactions.ts';
import type { Crash, CrashingDatabase } from './crashing-database.ts';
import {
  type Batch,
  claimable,
  type Entry,
  type GroupModel,
  type Preview,
  type Reversal,
  type Row,
} from './model.ts';
import type { Random } from './random.ts';
import { accountOf, codeOf, members, playerOf, skuId } from './wave.ts';

const reversals: readonly Reversal[] = ['Refund', 'Fraud', 'Chargeback'];
const months = Array.from({ length: 7 }, (_, month) => Date.UTC(2024, month));
const never = Date.UTC(2099, 0);

export interface Surroundings {
  service: TestService;
  crashing: CrashingDatabase;
  publisherId: string;
  key: string;
  random: Random;
  now(): Date;
}

/** One group's life: every step is done to the service and to the model, and said in the log. */
export class History {
  readonly group: GroupModel;
  readonly log: string[] = [];
  readonly #tierId: TierId;
  readonly #around: Surroundings;
  readonly #purchaseIds: string[] = [];
  /** Whether the process that did the last work of several commits died at it. */
  #hasDied = false;
  #preview: { asOf: Date; its: Preview } | null = null;

  constructor(group: GroupModel, tierId: TierId, around: Surroundings) {
    this.group = group;
    this.#tierId = tierId;
    this.#around = around;
  }

  async step(): Promise<void> {
    const { random } = this.#around;
    const steps = [
      ...Array<() => Promise<void>>(3).fill(() => this.#record()),
      () => this.#patch(),
      () => this.#patch(),
      () => this.#editSchedule(),
      () => this.#changeTerms(),
      () => this.#previewPayout(),
      () => this.#createPayout(),
      () => this.#createPayout(),
      () => this.#finishPayout(),
      () => this.#finishPayout(),
      () => this.#clawBack(),
      () => this.#claim(),
    ];
    await (this.group.purchases.length === 0 ? this.#record() : random.pick(steps)());
  }

  /** Plain: comparing each of so many answers with the API's document would take half of the time. */
  #send(method: string, path: string, body: object): Promise<Response> {
    const { service, key } = this.#around;
    return fetch(service.url + path, {
      method,
      headers: { 'x-shared-secret': key, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  }

  async #record(): Promise<void> {
    const { random } = this.#around;
    const { transactionId } = purchase();
    const entries = Array.from(
      { length: random.pick([1, 1, 2, 3]) },
      (): Entry => ({
        member: random.pick(members),
        subtotal: random.pick([1n, 5n, 15n, 25n, 999n, 12_345n, 100_000n, BigInt(Number.MAX_SAFE_INTEGER)]),
        currency: random.pick(['USD', 'USD', 'JPY']),
        date: random.oneIn(10) ? never : random.pick(months) + random.pick([0, 1, 86_400_000, 2_500_000_000]),
        sent: random.oneIn(4) ? random.pick([10_000, 123_456, 500_000, 1_000_000]) : null,
        hasSku: random.oneIn(5),
        isTest: random.oneIn(12),
      }),
    );
    const sent = entries.map((entry) =>
      purchase({
        transactionId,
        code: codeOf(entry.member), // a claimed code credits who claimed it
        subtotal: Number(entry.subtotal),
        currency: entry.currency,
        transactionDate: new Date(entry.date).toISOString(),
        ...(entry.sent !== null && { memberSharePercent: entry.sent / 10_000 }),
        ...(entry.hasSku && { skuId }),
        ...(entry.isTest && { status: 'Test' }),
      }),
    );
    this.log.push(`record ${transactionId}: ${JSON.stringify(sent)}`);
    const answer = await this.#send('POST', `${transactionsPath}?groupId=${this.group.groupId}`, sent);
    const body = (await answer.json()) as { transaction: { id: string } }[];
    expect(answer.status).toBe(200);
    this.#purchaseIds.push(transactionId);
    this.group.record(
      entries.map((entry) => ({ ...entry, member: this.group.survivor(entry.member) })),
      body.map(({ transaction }) => transaction.id),
    );
  }

  async #patch(): Promise<void> {
    const { random } = this.#around;
    const index = random.below(this.group.purchases.length);
    const action = random.oneIn(6) ? null : random.pick(reversals);
    const id = this.#purchaseIds[index] ?? '';
    const isDone = this.group.patch(this.group.purchases[index] ?? [], action);
    this.log.push(`patch ${id} ${action}: ${isDone}`);
    const answer = await this.#send(
      'PATCH',
      transactionPath(id),
      action === null ? { playerId: 'x' } : { action },
    );
    await answer.arrayBuffer();
    expect(answer.status).toBe(isDone ? 200 : 409);
  }

  async #editSchedule(): Promise<void> {
    const { random, service, now, publisherId } = this.#around;
    const db = service.testDatabase.database.db;
    const { group } = this;
    const { groupId, schedules } = group;
    const known = schedules.length > 0 && random.oneIn(2) ? random.pick(schedules) : undefined;
    if (known !== undefined && random.oneIn(3)) {
      this.log.push(`delete schedule ${known.id}`);
      await deleteSchedule(db, serviceActor, { publisherId, groupId, scheduleId: known.id }, now());
      schedules.splice(schedules.indexOf(known), 1);
      return;
    }
    const first = random.below(months.length - 1);
    const startsAt = months[first] ?? 0;
    const endsAt = months[Math.min(first + 1 + random.below(2), months.length - 1)] ?? 0;
    const share = random.pick([null, 300_000, 350_000]);
    const tier = share === null || random.oneIn(2) ? 450_000 : null;
    const terms = {
      startsAt: new Date(startsAt),
      endsAt: new Date(endsAt),
      shareMillionths: share,
      tierShares: tier === null ? [] : [{ tierId: this.#tierId, shareMillionths: tier }],
    };
    const hasRoom = group.hasRoom(startsAt, endsAt, known);
    this.log.push(`schedule ${known?.id ?? 'new'} ${JSON.stringify(terms)}: ${hasRoom}`);
    const saving =
      known === undefined
        ? createSchedule(db, serviceActor, { publisherId, groupId, terms })
        : replaceSchedule(db, serviceActor, { publisherId, groupId, scheduleId: known.id, terms });
    if (!hasRoom) return expect(saving).rejects.toBeInstanceOf(Refusal);
    const { scheduleId } = await saving;
    const said = { id: scheduleId, startsAt, endsAt, group: share, tier };
    if (known === undefined) schedules.push(said);
    else schedules.splice(schedules.indexOf(known), 1, said);
  }

  /** Hold period and minimum. */
  async #changeTerms(): Promise<void> {
    const { random, service } = this.#around;
    this.group.holdDays = random.pick([0, 30, 30, 3_650]);
    this.group.minimumMinor = random.pick([0n, 0n, 500n, 20_000n]);
    this.log.push(`hold ${this.group.holdDays}, minimum ${this.group.minimumMinor}`);
    this.#preview = null;
    await sql`
      update creator_group
      set hold_days = ${this.group.holdDays}, payout_minimums = jsonb_build_object('USD', ${Number(this.group.minimumMinor)}::bigint)
      where publisher_id = ${this.#around.publisherId} and group_id = ${this.group.groupId}`.execute(
      service.testDatabase.database.db,
    );
  }

  async #previewPayout(): Promise<void> {
    const { service, now } = this.#around;
    const { db } = service.testDatabase.database;
    const { asOf, payables } = await previewPayout(db, {
      publisherId: this.#around.publisherId,
      groupId: this.group.groupId,
      currency: null,
      asOf: null,
    });
    const due = payables
      .filter(({ isDue }) => isDue)
      .map(({ currency, name, amountMinor }) => `${currency} ${name} ${amountMinor}`)
      .sort();
    this.#preview = { asOf, its: this.group.preview(now().getTime()) };
    this.log.push(`preview as of ${asOf.toISOString()}: ${due.join()}`);
    const expected = [...this.#preview.its.due].flatMap(([currency, items]) =>
      [...items].map(([member, { amount }]) => `${currency} ${codeOf(member)} ${amount}`),
    );
    expect(due, this.log.join('\n')).toEqual(expected.sort());
  }

  async #createPayout(): Promise<void> {
    const { random, now, publisherId } = this.#around;
    const { group } = this;
    const { asOf, its } =
      this.#preview !== null && random.oneIn(2)
        ? this.#preview
        : { asOf: null, its: group.preview(now().getTime()) };
    const currency = random.oneIn(4) ? random.pick(['USD', 'JPY']) : null;
    const isAllowed = group.isPayable(its, currency);
    this.log.push(`create payout ${currency} as of ${asOf?.toISOString() ?? 'now'}: ${isAllowed}`);
    await this.#perhapsDying(
      (db) => createPayout(db, testActor, { publisherId, groupId: group.groupId, currency, asOf }),
      isAllowed,
    );
    if (!isAllowed) return;
    const known = group.batches.flatMap(({ id }) => id ?? []);
    const { rows } = await sql<{ batch_id: PayoutBatchId; currency: string }>`
      select batch_id, currency
      from payout_batch
      where publisher_id = ${publisherId} and group_id = ${group.groupId} and not was_undone
        and batch_id <> all(${known}::uuid[])`.execute(this.#around.service.testDatabase.database.db);
    if (this.#hasDied && rows.length === 0) return;
    for (const batch of group.createPayout(its, currency))
      batch.id = rows.find((row) => row.currency === batch.currency)?.batch_id ?? null;
  }

  async #finishPayout(): Promise<void> {
    const { random, now, publisherId } = this.#around;
    const { group } = this;
    if (group.batches.length === 0) return this.#record();
    const batch = random.pick(group.batches);
    const id = batch.id ?? '';
    const payout = { publisherId, payoutId: id };
    const isPaying = random.oneIn(2);
    this.log.push(`${isPaying ? 'mark paid' : 'cancel'} ${id}, which is ${batch.status}`);
    const isAllowed = isPaying ? batch.status !== 'Cancelled' : batch.status !== 'Paid';
    await this.#perhapsDying(
      (db) =>
        isPaying
          ? markPayoutPaid({ clock: { now } }, db, testActor, payout)
          : cancelPayout(db, testActor, { ...payout, reason: null }),
      isAllowed,
    );
    if (!isAllowed) return;
    if (this.#hasDied && (await this.#statusOf(batch)) === 'Created') return;
    if (isPaying) group.markPaid(batch);
    else group.cancel(batch);
  }

  async #statusOf({ id }: Batch): Promise<string | undefined> {
    if (id === null) return undefined;
    const { publisherId, service } = this.#around;
    const batch = await service.testDatabase.database.db
      .selectFrom('payout_batch')
      .select('status')
      .where('publisher_id', '=', publisherId)
      .where('batch_id', '=', id)
      .executeTakeFirst();
    return batch?.status;
  }

  /** One of the other members claims the one that can be, with what it earned and what it was paid. */
  async #claim(): Promise<void> {
    const { random, service, publisherId, now } = this.#around;
    const { db } = service.testDatabase.database;
    const { group } = this;
    if (group.claimer !== null) return this.#record();
    const claimer = random.below(claimable);
    this.log.push(`${codeOf(claimer)} claims ${codeOf(claimable)}`);
    const secret = await authCodeSecret(db, testSealer);
    const { authCode } = await issueAuthCode({ db, secret, now: now() }, accountOf(group.groupId, claimer));
    const player = { playerId: playerOf(claimable), playerMetadata: null, displayName: null };
    const programme = await loadProgramme(db, publisherId);
    const linked = programme?.groups.get(group.groupId);
    if (linked === undefined) throw new Error('the group is not there');
    const isDone = await this.#perhapsCrashing((at) =>
      operations.linkAccount(at, testActor, {
        ...player,
        publisherId,
        group: linked,
        authCode,
        authCodeSecret: secret,
        now: now(),
      }),
    );
    if (isDone) group.claimer = claimer;
  }

  async #clawBack(): Promise<void> {
    const { random } = this.#around;
    const { group } = this;
    const paid = group.rows().filter(({ batch }) => batch?.status === 'Paid');
    const row: Row = random.pick(paid.length > 0 && !random.oneIn(4) ? paid : group.rows());
    const action = random.pick(reversals);
    const isAllowed = row.batch?.status === 'Paid' && !row.isReversed;
    this.log.push(`claw back ${row.id} ${action}: ${isAllowed}`);
    const isDone = await this.#perhapsCrashing(
      (db) =>
        operations.clawBack(db, testActor, {
          publisherId: this.#around.publisherId,
          row: row.id,
          status: action,
          reason: null,
        }),
      isAllowed,
    );
    if (isDone) group.clawBack(row, action);
  }

  /** @returns whether it was done; not, when its connection died before its commit, or it was refused as it must be */
  async #perhapsCrashing(work: (db: Db) => Promise<unknown>, isAllowed = true): Promise<boolean> {
    const { service, crashing, random } = this.#around;
    if (random.oneIn(8) && isAllowed) {
      const crash: Crash = random.oneIn(4) ? { afterCommit: 1 } : { beforeStatement: 1 + random.below(16) };
      const outcome = await work(crashing.db(crash)).then(
        () => true,
        (error: unknown) => {
          expect(String(error)).toMatch(/terminat|died|closed|not queryable/);
          return 'afterCommit' in crash;
        },
      );
      this.log.push(`  with a crash ${JSON.stringify(crash)}: ${outcome ? 'done' : 'nothing was done'}`);
      return outcome;
    }
    const doing = work(service.testDatabase.database.db);
    if (isAllowed) await doing;
    else await expect(doing).rejects.toBeInstanceOf(Refusal);
    return isAllowed;
  }

  /**
   * Work of several commits. When its process dies among them, every balance is explained all the same; and when its
   * time is up, the next one who comes finishes or undoes what it left.
   */
  async #perhapsDying(work: (db: Db) => Promise<unknown>, isAllowed: boolean): Promise<void> {
    const { service, crashing, random, publisherId } = this.#around;
    this.#hasDied = random.oneIn(4) && isAllowed;
    const { db } = service.testDatabase.database;
    if (!this.#hasDied) {
      const doing = work(db);
      if (isAllowed) await doing;
      else await expect(doing).rejects.toBeInstanceOf(Refusal);
      return;
    }
    const crash: Crash = random.oneIn(3)
      ? { afterCommit: 1 + random.below(7) }
      : { beforeStatement: 1 + random.below(60) };
    const outcome = await work(crashing.db(crash)).then(() => 'done', String);
    this.log.push(`  with a crash ${JSON.stringify(crash)}: ${outcome}`);
    expect(outcome).toMatch(/done|terminat|died|closed|not queryable/);
    if (random.oneIn(3)) expect(await verifyLedger(db)).toMatchObject({ isSound: true });
    await sql`
      update payout_batch
      set worked_until = now() - interval '1 second'
      where publisher_id = ${publisherId} and group_id = ${this.group.groupId} and worked_until is not null`.execute(
      db,
    );
    if (random.oneIn(2)) await resumePayouts(db, publisherId);
    else await previewPayout(db, { publisherId, groupId: this.group.groupId, currency: null, asOf: null });
  }
}
