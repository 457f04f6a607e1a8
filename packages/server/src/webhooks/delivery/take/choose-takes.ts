import type { EndpointId } from '../../../platform/database/tables.generated.ts';
import type { FairShares } from '../../../platform/work/fair-shares.ts';
import type { DeliveryCapacity } from './delivery-capacity.ts';
import type { Candidates } from './due-endpoints.ts';
import type { EndpointLanes } from './endpoint-lanes.ts';
import { beginningOf, type DuePlace, type TakeSize, takeSizes } from './take-deliveries.ts';

/** Deliveries to take for some of a publisher's endpoints, with the capacity reserved for them. */
export interface Take {
  publisherId: string;
  size: TakeSize;
  endpointIds: EndpointId[];
  from: DuePlace;
  shares: FairShares[];
}

/** Maximum number of takes per round, which keeps rounds short. The next round handles the rest. */
const takesAtOnce = 128;

/**
 * Chooses how many deliveries to take for each endpoint, within its slots and the free capacity, and reserves the
 * capacity. Every other round chooses the newest deliveries first instead of the longest overdue ones, so that a new
 * delivery doesn't wait behind a backlog of thousands. Endpoints whose last request hung come last.
 * @returns the takes; `isShort` is true if some due deliveries have to wait for capacity
 */
export function chooseTakes(
  { endpoints, first }: Candidates,
  lanes: EndpointLanes,
  capacity: DeliveryCapacity,
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
    const fair = capacity.fairShare(publisherId, slots.inFlight + queue.length, slots.isFast(nowMs));
    const count = Math.min(fair, slots.wanted(queue.length, nowMs));
    const size = takeSizes.find((each) => each <= count);
    if (size === undefined) continue;
    const name = size === 1 ? `${publisherId}/${kind}` : `${publisherId}/${kind}/${endpointId}`; // one delivery from each of many endpoints, or many from one endpoint
    const alike = takes.get(name);
    const shares =
      alike === undefined && takes.size === takesAtOnce ? null : capacity.reserve(publisherId, size, kind);
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
