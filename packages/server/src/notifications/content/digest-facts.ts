import { type RequestSums, sumRequests } from '../../api-keys/counted/sum-requests.ts';
import type { Db } from '../../platform/database/database.ts';
import { publisherNames } from '../../publishers/publisher-names.ts';
import { readGroups } from '../../publishers/read-groups.ts';
import type { PayoutBatch } from '../../settlement/payouts/read/read-payouts.ts';
import { readTotals, type Sums } from '../../settlement/read-totals.ts';
import { listEndpoints } from '../../webhooks/endpoints/list-endpoints.ts';
import { type Attention, findAttention } from '../attention/find-attention.ts';
import { awaitingPayouts } from '../incidents/conditions.ts';
import { type Frequency, type Period, periodBefore } from '../schedule/local-time.ts';

/** Data for a digest, read in the same way as for the screens. */
export interface DigestFacts {
  publisherId: string;
  publisherName: string;
  frequency: Frequency;
  period: Period;
  now: Date;
  money: { now: ReadonlyMap<string, Sums>; before: ReadonlyMap<string, Sums> };
  attention: Attention;
  groupNames: ReadonlyMap<string, string>;
  endpointUrls: ReadonlyMap<string, string>;
  awaiting: readonly PayoutBatch[];
  requests: RequestSums['rows'];
}

/** Reads the data for a publisher's digest, which is shared by all recipients of that digest. */
export async function readDigestFacts(
  db: Db,
  { publisherId, frequency, period, now }: Pick<DigestFacts, 'publisherId' | 'frequency' | 'period' | 'now'>,
  findDue: Parameters<typeof findAttention>[0]['dues'],
): Promise<DigestFacts> {
  const groups = await readGroups(db, publisherId);
  const groupIds = groups.map(({ groupId }) => groupId);
  const sumsOf = (days: Period) => readTotals(db, { publisherId, groupIds, days });
  const names = await publisherNames(db, [publisherId]);
  const endpoints = await listEndpoints(db, publisherId, now);
  return {
    publisherId,
    publisherName: names.get(publisherId) ?? publisherId,
    frequency,
    period,
    now,
    money: { now: await sumsOf(period), before: await sumsOf(periodBefore(period)) },
    attention: await findAttention({ db, dues: findDue }, { publisherId, groupIds, now, aheadMs: 0 }),
    groupNames: new Map(groups.map(({ groupId, name }) => [groupId, name])),
    endpointUrls: new Map(endpoints.map(({ endpointId, url }) => [endpointId, url])),
    awaiting: await awaitingPayouts(db, publisherId),
    requests: (await sumRequests(db, publisherId, { hours: hoursOf[frequency], now })).answer.rows,
  };
}

/** Requests are counted up to the time of sending, as on the Developers screen. */
const hoursOf = { daily: 24, weekly: 7 * 24 } as const;
