import type { EndpointId } from '../../../platform/database/tables.generated.ts';
import type { FairShares } from '../../../platform/work/fair-shares.ts';
import type { DeliveryRoom } from './delivery-room.ts';
import type { Look } from './due-endpoints.ts';
import type { EndpointLanes } from './endpoint-lanes.ts';
import { beginningOf, type DuePlace, type TakeSize, takeSizes } from './take-deliveries.ts';

/** So many deliveries of each of a publisher's endpoints, for which there is room. */
export interface Take {
  publisherId: string;
  size: TakeSize;
  endpointIds: EndpointId[];
  /** Where the first of them stands. */
  from: DuePlace;
  /** What each delivery has a part of. */
  shares: FairShares[];
}

/** What is due later waits for the next look, which finds it soon: a round must not take so long that others wait. */
const takesAtOnce = 128;

/**
 * How much to take of which endpoints, within each one's slots and what room is left: the longest due first or, in turns
 * with that, the shortest, so that a new one gets past thousands that wait longer; those that hung last time after all
 * others. The room is reserved.
 * @returns isShort: something that is due has to wait for room
 */
export function chooseTakes(
  { endpoints, first }: Look,
  lanes: EndpointLanes,
  room: DeliveryRoom,
  now: Date,
): { takes: Take[]; isShort: boolean } {
  const nowMs = performance.now();
  let isShort = false;
  const takes = new Map<string, Take>();
  const direction = first === 'oldest' ? 1 : -1;
  const due = endpoints
    .filter(({ from }) => from.dueAt <= now)
    .map((endpoint) => ({ ...endpoint, lane: lanes.of(endpoint.publisherId, endpoint.endpointId) }))
    .sort(
      (one, other) =>
        +one.lane.slots.hung - +other.lane.slots.hung || direction * (+one.from.dueAt - +other.from.dueAt),
    );
  for (const { publisherId, endpointId, from, lane } of due) {
    const { slots, queue } = lane;
    const kind = slots.isProven ? 'proven' : slots.hung ? 'hung' : 'unproven';
    const fair = room.fairShare(publisherId, slots.inFlight + queue.length);
    const count = Math.min(fair, slots.wanted(queue.length, nowMs));
    const size = takeSizes.find((each) => each <= count);
    if (size === undefined) continue;
    const name = size === 1 ? `${publisherId}/${kind}` : `${publisherId}/${kind}/${endpointId}`; // one takes of many, or many of one
    const alike = takes.get(name);
    const shares =
      alike === undefined && takes.size === takesAtOnce ? null : room.reserve(publisherId, size, kind);
    if (shares === null) {
      isShort = true;
      continue;
    }
    if (alike === undefined) takes.set(name, { publisherId, size, endpointIds: [endpointId], from, shares });
    else {
      alike.endpointIds.push(endpointId);
      if (from.dueAt <= alike.from.dueAt) alike.from = beginningOf(from.dueAt);
    }
  }
  return { takes: [...takes.values()], isShort };
}
