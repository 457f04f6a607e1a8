import type { EarlierCaller } from '../../api-keys/request-context.ts';
import type { KeyVerifier } from '../../api-keys/verify-key.ts';
import type { KeyPrincipal } from '../../audit/actor.ts';
import type { Database } from '../../platform/database/database.ts';
import { readJson } from '../../platform/http/bodies/read-json.ts';
import type { DirectOperation } from '../../platform/http/direct/take-requests.ts';
import { knownNamesOf, unknownNames } from '../../platform/http/schemas/known-names.ts';
import { problemOfCreated } from '../../platform/http/schemas/validation.ts';
import type { Programs } from '../../publishers/programs.ts';
import { peekGroup } from '../../publishers/resolve-group.ts';
import { type AttributionRow, toTransactionRecord } from '../attribution-row.ts';
import { type TransactionEntry, transactionEntry, transactionsPath } from '../transaction-schema.ts';
import { type Purchase, readEntry } from './read-entry.ts';
import type { RecordQueue } from './record-queue.ts';
import { codeOfPlayer } from './with-player-codes.ts';

interface Caller extends EarlierCaller {
  readonly tenant: string;
}

export interface DirectCreateDeps {
  keys: Pick<KeyVerifier, 'peek'>;
  programs: Programs;
  recordQueue: RecordQueue;
  forPublisher: Database['forPublisher'];
  /** Called when a request was answered. */
  answered(principal: KeyPrincipal): void;
}

const known = knownNamesOf({ body: transactionEntry });
const groupQuery = `${transactionsPath}?groupId=`;
/** Ids of groups that stand in a query as they are. */
const plainId = /^[\w-]{1,64}$/;

/**
 * Describes the usual way to record a purchase: one valid entry, in minor units, with a known secret key and no other
 * parameter than `groupId`. It takes the same steps as createTransactionsRoute, in the same order.
 */
export function directCreate(deps: DirectCreateDeps): DirectOperation<Caller, Purchase> {
  const { keys, programs, recordQueue, forPublisher, answered } = deps;
  return {
    operationId: 'createTransactions',
    method: 'POST',
    admit({ url = '', headers }) {
      const isUsual =
        url === transactionsPath ||
        (url.startsWith(groupQuery) && plainId.test(url.slice(groupQuery.length)));
      const key = headers['x-shared-secret'];
      if (!isUsual || typeof key !== 'string') return null;
      const principal = keys.peek(key);
      if (principal === null || principal.keyKind !== 'secret') return null;
      const { publisherId, groupId } = principal;
      const asked = url === transactionsPath ? undefined : url.slice(groupQuery.length);
      const group = peekGroup(programs, publisherId, groupId, asked);
      return group === null ? null : { tenant: publisherId, principal, group };
    },
    read(body) {
      const entry = readJson(body);
      if (unknownNames(known, {}, entry) !== null || problemOfCreated(transactionEntry, entry) !== null)
        throw new Error('not a usual entry');
      const purchase = readEntry(entry as TransactionEntry, [], true);
      if (purchase.codeFolded === codeOfPlayer) throw new Error("the player's code has to be looked up");
      return purchase;
    },
    perform: ({ tenant, group: { groupId } }, purchase) =>
      forPublisher(tenant, () => recordQueue.record(tenant, groupId, [purchase])),
    answer: (rows) => {
      const [row] = rows as AttributionRow[];
      if (row === undefined) throw new Error('a recorded purchase has no row');
      return JSON.stringify(toTransactionRecord(row));
    },
    answered: ({ principal }) => answered(principal),
  };
}
