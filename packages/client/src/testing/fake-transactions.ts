import type {
  Member,
  NewRefund,
  NewRefundOfTransaction,
  NewTransaction,
  Refund,
  Transaction,
  TransactionUpdate,
} from '../api.generated.ts';
import { codesByExponent } from '../currencies.generated.ts';
import { type Answer, type FakeOperation, problem, Rejection } from './answers.ts';
import type { FakeGroup } from './fake-group.ts';
import { listRows, shown } from './fake-listing.ts';
import type { FakePlayerCodes } from './fake-player-codes.ts';
import { type FakeRefund, type FakeRow, proportion, roundPercent, spread } from './fake-rows.ts';

/** Purchases that the fake service has recorded. Shares are posted immediately, and nothing is ever paid out. */
export class FakeTransactions {
  readonly rows: FakeRow[] = [];
  readonly #refunds = new Map<string, FakeRefund[]>();
  readonly #group: FakeGroup;
  readonly #playerCodes: FakePlayerCodes;

  constructor(group: FakeGroup, playerCodes: FakePlayerCodes) {
    this.#group = group;
    this.#playerCodes = playerCodes;
  }

  /** Moves the rows of a member to the one that claims it. All of them show the player who was linked. */
  move(from: Member, to: Member): void {
    for (const row of this.rows.filter(({ memberId }) => [from.id, to.id].includes(memberId))) {
      row.memberId = to.id;
      row.transaction = { ...row.transaction, ...(to.playerId && { memberPlayerId: to.playerId }) };
    }
  }

  readonly operations: Readonly<Record<string, FakeOperation>> = {
    createTransactions: ({ body, query }) => this.#record(body, query),
    listTransactions: ({ query }) => {
      if (query.get('groupId') !== '*' && this.#group.isOther(query)) throw problem(400, 'InvalidGroup');
      return listRows(this.rows, query);
    },
    getTransaction: ({ path, query }) =>
      wrapped(this.#rowsOf(path.transactionId).map((row) => shown(row, query.get('include') === 'meta'))),
    updateTransactions: ({ path, body }) => this.#update(path.transactionId, body),
    refundTransaction: ({ path, body }) => this.#refund(path.transactionId, body as NewRefund),
    refundTransactions: ({ body }) => ({
      status: 200,
      body: (body as NewRefundOfTransaction[]).map((each) => this.#outcome(each)),
    }),
    listRefunds: ({ path: { transactionId = '' } }) => {
      this.#rowsOf(transactionId);
      return { status: 200, body: this.#refundsOf(transactionId).map(({ refund }) => refund) };
    },
    reinstateRefund: ({ path, body }) => this.#reinstate(path, body),
  };

  #record(body: unknown, query: URLSearchParams): Answer {
    if (this.#group.isOther(query)) throw new Rejection(400, 'No creator group was found for the groupId.');
    const entries = [body].flat() as Partial<NewTransaction>[];
    const place = (index: number, name: string) => (Array.isArray(body) ? `[${index}].${name}` : name);
    const reject = (message: string) => new Rejection(400, { message });
    const mistakes = entries.flatMap((entry, index) =>
      mistakesOf(entry).map(([name, rule]) => `${place(index, name)} ${rule}`),
    );
    if (mistakes.length > 0) throw reject(mistakes.join('; '));
    const purchases = (entries as NewTransaction[]).map((purchase, index) => {
      if (purchase.code !== '@player') return purchase;
      const found = this.#playerCodes.codeAt(purchase.playerId, Date.parse(purchase.transactionDate));
      if (found !== undefined) return { ...purchase, code: found.code };
      throw reject(`${place(index, 'code')} is @player, but the player had no code at the transactionDate.`);
    });
    const attach = query.get('attach') === 'true' ? this.#toAttach(entries as NewTransaction[], place) : [];
    const rows = purchases.map((purchase, index) => {
      for (const currency of [purchase.currency, purchase.totalCurrency ?? purchase.currency])
        if (this.#group.disabledCurrencies.includes(currency))
          throw reject(`${place(index, 'currency')} ${currency} is disabled by the creator group.`);
      const member = this.#group.memberOf(purchase.code);
      if (member === undefined)
        throw reject(`${place(index, 'code')} is not the code of an approved member of the creator group.`);
      return newRow(purchase, member, { revShare: this.#group.shareOf(member), createdAt: this.#now() });
    });
    const ids = new Set(purchases.map(({ transactionId }) => transactionId));
    const saved = this.rows.filter(({ transaction }) => ids.has(transaction.transactionId));
    if (saved.length > 0) {
      const contents = (list: FakeRow[]) => JSON.stringify(list.map(({ content }) => content));
      const isSame = contents(saved) === contents(rows);
      if (isSame) for (const each of attach) this.#playerCodes.attach(each);
      if (!isSame || query.get('repeat') !== 'return')
        throw new Rejection(409, 'Conflict', { 'x-conflict': isSame ? 'same-content' : 'different-content' });
      return answerOf(
        saved.map((row) => shown(row, false)),
        body,
        { 'x-idempotent-replay': 'true' },
      );
    }
    this.rows.push(...rows);
    for (const each of attach) this.#playerCodes.attach(each);
    return answerOf(
      rows.map(({ transaction }, index) => withSentShare(transaction, purchases[index])),
      body,
    );
  }

  /** Returns the codes that `attach=true` makes their players' codes. */
  #toAttach(entries: readonly NewTransaction[], place: (index: number, name: string) => string) {
    return entries.flatMap(({ code, playerId, transactionDate }, index) => {
      const reject = (name: string, rule: string) =>
        new Rejection(400, { message: `${place(index, name)} ${rule}` });
      if (code.toLowerCase() === '@player') return [];
      if (playerId === undefined) throw reject('playerId', 'is required with attach=true.');
      const fromMs = Date.parse(transactionDate);
      if (fromMs > this.#group.now())
        throw reject('transactionDate', 'must not be in the future with attach=true.');
      const member = this.#group.memberOf(code);
      if (member?.playerId === playerId)
        throw reject('code', 'is the player’s own, so it can’t be attached. Send it without attach=true.');
      return member === undefined ? [] : [{ playerId, member, code, fromMs }];
    });
  }

  #update(transactionId: string | undefined, body: unknown): Answer {
    const { action, playerId } = Object(body) as Partial<Record<keyof TransactionUpdate, unknown>>;
    const isKnown = action === 'Refund' || action === 'Fraud' || action === 'Chargeback';
    if (action === undefined ? typeof playerId !== 'string' : !isKnown) throw problem(400, 'InvalidInput');
    const rows = this.#rowsOf(transactionId);
    if (isKnown) this.#takeBack(rows, { source: 'StatusChange', reason: action, parts: rows.map(leftOf) });
    for (const { transaction } of rows) {
      if (isKnown) transaction.status = action;
      if (typeof playerId === 'string') transaction.playerId = playerId;
    }
    return wrapped(rows.map((row) => shown(row, false)));
  }

  #outcome({ transactionId, ...body }: NewRefundOfTransaction): object {
    const { refundId } = body;
    try {
      return { transactionId, refundId, refund: this.#refund(transactionId, body).body };
    } catch (error) {
      if (!(error instanceof Rejection)) throw error;
      const { status, body: problem } = error.answer;
      return { transactionId, refundId, error: { status, ...Object(problem) } };
    }
  }

  #refund(transactionId: string | undefined, body: NewRefund): Answer {
    const rows = this.#rowsOf(transactionId);
    const { refundId, amount, rows: wanted, reason } = body;
    if (typeof refundId !== 'string' || !['Refund', 'Fraud', 'Chargeback'].includes(reason))
      throw problem(400, 'InvalidInput');
    const content = JSON.stringify([amount, wanted, reason]);
    const earlier = this.#refundsOf(rows[0]?.transaction.transactionId ?? '').find(
      ({ refund }) => refund.refundId === refundId,
    );
    if (earlier !== undefined && earlier.content !== content) throw problem(409, 'Conflict');
    if (earlier !== undefined) return { status: 200, body: earlier.refund };
    if (rows.some(({ transaction }) => transaction.status === 'Test')) throw problem(409, 'Conflict');
    const chosen =
      wanted === undefined
        ? rows
        : rows.filter(({ transaction }) => wanted.some(({ id }) => id === transaction.id));
    const left = chosen.map(leftOf);
    const leftOfAll = left.reduce((sum, each) => sum + each, 0);
    const parts =
      wanted !== undefined
        ? chosen.map((row) => wanted.find(({ id }) => id === row.transaction.id)?.amount ?? leftOf(row))
        : amount === undefined || amount > leftOfAll
          ? left
          : spread(amount, left);
    const isTooMuch = parts.some((part, index) => part > (left[index] ?? 0)) || (amount ?? 0) > leftOfAll;
    if (chosen.length === 0 || isTooMuch || leftOfAll === 0)
      throw problem(400, 'InvalidInput', 'The amount is greater than what is left.');
    const refund = this.#takeBack(chosen, { ...body, source: 'Refund', parts, content });
    for (const row of chosen) if (leftOf(row) === 0) row.transaction.status = reason;
    return { status: 200, body: refund };
  }

  #takeBack(
    rows: readonly FakeRow[],
    { refundId = crypto.randomUUID(), source, reason, occurredAt, parts, content = '' }: TakeBack,
  ): Refund {
    const createdAt = this.#now();
    const taken = rows.map((row, index) => {
      const { id, subtotal, currency } = row.transaction;
      row.refunded += parts[index] ?? 0;
      const takenBack = proportion(row.share, row.refunded, subtotal);
      const memberShareAmount = takenBack - row.takenBack;
      row.takenBack = takenBack;
      row.updatedAt = createdAt;
      return { id, amount: parts[index] ?? 0, currency, memberShareAmount };
    });
    const [first] = rows;
    const { transactionId = '', currency = 'USD' } = first?.transaction ?? {};
    const isOneCurrency = taken.every((each) => each.currency === currency);
    const refund: Refund = {
      refundId,
      transactionId,
      source,
      reason,
      ...(isOneCurrency && { amount: taken.reduce((sum, { amount }) => sum + amount, 0), currency }),
      occurredAt: occurredAt === undefined ? createdAt : new Date(occurredAt).toISOString(),
      createdAt,
      rows: taken,
    };
    this.#refunds.set(transactionId, [...this.#refundsOf(transactionId), { refund, content }]);
    return refund;
  }

  #reinstate({ transactionId, refundId }: Readonly<Record<string, string>>, body: unknown): Answer {
    const rows = this.#rowsOf(transactionId);
    const { reason, occurredAt } = Object(body) as { reason?: unknown; occurredAt?: string };
    if (typeof reason !== 'string' || reason === '') throw problem(400, 'InvalidInput', 'reason is required');
    const saved = this.#refundsOf(transactionId ?? '').find(({ refund }) => refund.refundId === refundId);
    if (saved === undefined) throw problem(404, 'NotFound');
    const isFirst = saved.refund.reinstatedAt === undefined;
    const createdAt = saved.refund.reinstatedAt ?? this.#now();
    saved.refund = { ...saved.refund, reinstatedAt: createdAt };
    const given = saved.refund.rows.flatMap((part) => {
      const row = rows.find(({ transaction }) => transaction.id === part.id);
      if (row === undefined) return [];
      if (isFirst) {
        row.refunded -= part.amount;
        row.takenBack -= part.memberShareAmount;
        row.updatedAt = createdAt;
        if (leftOf(row) > 0) row.transaction.status = 'Normal';
      }
      return [{ ...part, status: row.transaction.status }];
    });
    return {
      status: 200,
      body: { refundId, transactionId, reason, occurredAt: occurredAt ?? createdAt, createdAt, rows: given },
    };
  }

  #now(): string {
    return new Date(this.#group.now()).toISOString();
  }

  #refundsOf(transactionId: string): readonly FakeRefund[] {
    return this.#refunds.get(transactionId) ?? [];
  }

  #rowsOf(transactionId: string | undefined): readonly FakeRow[] {
    const rows = this.rows.filter(({ transaction }) => transaction.transactionId === transactionId);
    if (rows.length === 0) throw problem(404, 'NotFound');
    return rows;
  }
}

interface TakeBack {
  readonly refundId?: string;
  readonly source: Refund['source'];
  readonly reason: Refund['reason'];
  readonly occurredAt?: string;
  /** Amount of each row, in minor units. */
  readonly parts: readonly number[];
  readonly content?: string;
}

const leftOf = ({ transaction, refunded }: FakeRow): number => transaction.subtotal - refunded;

const wrapped = (transactions: readonly object[]): Answer => ({
  status: 200,
  body: transactions.map((transaction) => ({ transaction })),
});

/** Answers a list with a list, and a single purchase with a single one. */
const answerOf = (
  transactions: readonly object[],
  sent: unknown,
  headers: Record<string, string> = {},
): Answer => {
  const [first] = transactions;
  return {
    ...(Array.isArray(sent) ? wrapped(transactions) : { status: 200, body: { transaction: first } }),
    headers,
  };
};

/** Returns a row as recording answers: with a share only if it was sent. */
function withSentShare(
  { memberSharePercent, ...row }: Transaction,
  sent: NewTransaction | undefined,
): object {
  return { ...row, ...(sent?.memberSharePercent !== undefined && { memberSharePercent }) };
}

const currencies = new Set(Object.values(codesByExponent).flatMap((codes) => codes.split(' ')));

/** Returns the mistakes that a publisher's code makes most: missing values, and amounts that are not whole. */
function mistakesOf(entry: Partial<NewTransaction>): [name: string, rule: string][] {
  const required = [
    'code',
    'description',
    'subtotal',
    'currency',
    'transactionId',
    'transactionDate',
  ] as const;
  const missing = required.filter((name) => entry[name] === undefined || entry[name] === null);
  const { subtotal = 1, currency = 'USD', transactionDate = '2026-01-01', description = '' } = entry;
  return [
    ...missing.map((name): [string, string] => [name, 'is required']),
    ...(Number.isSafeInteger(subtotal) && subtotal >= 1
      ? []
      : [['subtotal', 'must be a whole number, at least 1'] as [string, string]]),
    ...(currencies.has(currency) ? [] : [['currency', 'is not a known currency'] as [string, string]]),
    ...(Number.isNaN(Date.parse(transactionDate))
      ? [['transactionDate', 'must be a timestamp'] as [string, string]]
      : []),
    ...(description.includes('\0') ? [['description', 'must not contain U+0000'] as [string, string]] : []),
    ...(entry.transactionId === ''
      ? [['transactionId', 'must have 1 to 255 characters'] as [string, string]]
      : []),
  ];
}

function newRow(
  purchase: NewTransaction,
  member: { id: string; playerId?: string; codes: { code: string }[] },
  { revShare, createdAt }: { revShare: number; createdAt: string },
): FakeRow {
  const { code, status, subtotal, total = subtotal, currency, totalCurrency = currency } = purchase;
  const memberSharePercent = roundPercent(purchase.memberSharePercent ?? revShare);
  const spelling = member.codes.find((each) => each.code.toLowerCase() === code.toLowerCase());
  const transaction: Transaction = {
    ...purchase,
    id: crypto.randomUUID(),
    code: spelling?.code ?? code,
    ...(member.playerId !== undefined && { memberPlayerId: member.playerId }),
    status: status === 'Test' ? 'Test' : 'Normal',
    origin: 'api',
    total,
    totalCurrency,
    transactionDate: new Date(purchase.transactionDate).toISOString(),
    memberSharePercent,
    memberPaid: false,
  };
  const { id: _, ...content } = transaction;
  return {
    transaction,
    content: JSON.stringify(content, Object.keys(content).toSorted()),
    memberId: member.id,
    share: proportion(subtotal, memberSharePercent, 100),
    createdAt,
    updatedAt: createdAt,
    refunded: 0,
    takenBack: 0,
  };
}
