import type { KeyPrincipal } from '../../audit/actor.ts';
import type { Db } from '../../platform/database/database.ts';
import type { KeyId } from '../../platform/database/tables.generated.ts';
import { findKeyOwners } from '../find-key-owners.ts';
import { hashKey } from '../key-format.ts';
import { type RequestCount, saveCounts } from './save-counts.ts';

const flushEveryMs = 60_000;
/**
 * Maximum number of combinations of key, operation and result that a process counts between two flushes, per publisher
 * and in total. Requests with any other combination aren't counted.
 */
const maxPerPublisher = 500;
const maxInTotal = 20_000;
/** Maximum number of invalid keys whose owners are looked up per flush. */
const maxInvalidKeys = 1_000;

/** Operation of the publisher's API: its method, and its path as in the OpenAPI document. */
export interface CountedOperation {
  readonly method: string;
  readonly route: string;
}

interface Result {
  readonly status: number;
  /** Error code; empty for an accepted request. */
  readonly code: string;
  times: number;
}

/** A key's results by operation. An operation has only a few different results, so a linear search is fast enough. */
type KeyResults = Map<CountedOperation, Result[]>;

interface PublisherResults {
  readonly byKey: Map<KeyId, KeyResults>;
  combinations: number;
}

/**
 * Request counters by key, operation and result. They are saved once a minute, and before a publisher reads its sums. A
 * crash loses the counts since the last flush.
 */
export interface RequestCounts {
  note(key: KeyPrincipal, operation: CountedOperation, status: number, code: string): void;
  /** Counts a request with an invalid key, which may be a publisher's revoked or expired key. */
  noteInvalid(key: string, operation: CountedOperation, status: number, code: string): void;
  /** Saves one publisher's counts, so that the publisher sees its latest requests. */
  flushOf(publisherId: string): Promise<void>;
  flush(): Promise<void>;
}

/** @param onError called if counts couldn't be saved and were dropped */
export function createRequestCounts(
  db: Db,
  now: () => Date,
  onError: (error: unknown) => void,
): RequestCounts {
  const publishers = new Map<string, PublisherResults>();
  let combinations = 0;
  let invalid = new Map<string, KeyResults>();
  let timer: NodeJS.Timeout | null = null;

  const resultsOf = (publisherId: string): PublisherResults => {
    let results = publishers.get(publisherId);
    if (results === undefined) {
      results = { byKey: new Map(), combinations: 0 };
      publishers.set(publisherId, results);
    }
    return results;
  };
  /** Returns a combination's counter; null if the limit has been reached. */
  const counterOf = (
    { publisherId, keyId }: { publisherId: string; keyId: KeyId },
    operation: CountedOperation,
    status: number,
    code: string,
  ): Result | null => {
    const results = resultsOf(publisherId);
    const known = findResult(results.byKey.get(keyId)?.get(operation), status, code);
    if (known !== undefined) return known;
    if (results.combinations >= maxPerPublisher || combinations >= maxInTotal) return null;
    results.combinations += 1;
    combinations += 1;
    startTimer();
    return addResult(results.byKey, keyId, operation, { status, code, times: 0 });
  };
  const startTimer = (): void => {
    timer ??= setTimeout(() => void counts.flush(), flushEveryMs).unref();
  };

  /** Adds requests with invalid keys to the counts of the keys' publishers. */
  const assignInvalid = async (): Promise<void> => {
    if (invalid.size === 0) return;
    const unassigned = invalid;
    invalid = new Map();
    const hashes = [...unassigned.keys()].map((hash) => Buffer.from(hash, 'hex'));
    for (const [hash, owner] of await findKeyOwners(db, hashes))
      for (const [operation, results] of unassigned.get(hash) ?? [])
        for (const { status, code, times } of results) {
          const counter = counterOf(owner, operation, status, code);
          if (counter !== null) counter.times += times;
        }
  };
  const save = async (publisherId: string): Promise<void> => {
    const results = publishers.get(publisherId);
    if (results === undefined) return;
    publishers.delete(publisherId);
    combinations -= results.combinations;
    await saveCounts(db, publisherId, rowsOf(results), now()).catch(onError);
  };

  const counts: RequestCounts = {
    note(key, operation, status, code) {
      const counter = counterOf(key, operation, status, code);
      if (counter !== null) counter.times += 1;
    },
    noteInvalid(key, operation, status, code) {
      const hash = hashKey(key).toString('hex');
      const known = findResult(invalid.get(hash)?.get(operation), status, code);
      if (known !== undefined) known.times += 1;
      else if (invalid.has(hash) || invalid.size < maxInvalidKeys) {
        addResult(invalid, hash, operation, { status, code, times: 1 });
        startTimer();
      }
    },
    async flushOf(publisherId) {
      await assignInvalid().catch(onError);
      await save(publisherId);
    },
    async flush() {
      if (timer !== null) clearTimeout(timer);
      timer = null;
      await assignInvalid().catch(onError);
      for (const publisherId of [...publishers.keys()]) await save(publisherId);
    },
  };
  return counts;
}

const findResult = (results: Result[] | undefined, status: number, code: string): Result | undefined => {
  if (results !== undefined)
    for (const each of results) if (each.status === status && each.code === code) return each;
  return undefined;
};

function addResult<Key>(
  byKey: Map<Key, KeyResults>,
  key: Key,
  operation: CountedOperation,
  result: Result,
): Result {
  const ofKey = byKey.get(key);
  const results = ofKey?.get(operation);
  if (ofKey === undefined) byKey.set(key, new Map([[operation, [result]]]));
  else if (results === undefined) ofKey.set(operation, [result]);
  else results.push(result);
  return result;
}

const rowsOf = ({ byKey }: PublisherResults): RequestCount[] =>
  [...byKey].flatMap(([keyId, ofKey]) =>
    [...ofKey].flatMap(([{ method, route }, results]) =>
      results.map((result) => ({ keyId, method, route, ...result })),
    ),
  );
