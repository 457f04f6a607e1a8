import type { ListedScheduledRevenueShare, ScheduleTerms } from '../api.generated.ts';
import { type Answer, type FakeOperation, pageOf, problem, Rejection } from './answers.ts';
import type { FakeGroup } from './fake-group.ts';

/** Schedules of the fake group. They don't change what purchases earn. */
export class FakeSchedules {
  #schedules: Omit<ListedScheduledRevenueShare, 'status'>[] = [];
  readonly #group: FakeGroup;

  constructor(group: FakeGroup) {
    this.#group = group;
  }

  readonly operations: Readonly<Record<string, FakeOperation>> = {
    listScheduledRevShares: ({ query }) => {
      this.#checkGroup(query);
      const { items, ...paging } = pageOf(this.#schedules, query, 10);
      const scheduledRevShares = items.map((each) => ({
        ...each,
        status: statusOf(each, this.#group.now()),
      }));
      return { status: 200, body: { groupId: 'main', groupName: 'Main', ...paging, scheduledRevShares } };
    },
    createScheduledRevShare: ({ body, query }) => {
      this.#checkGroup(query);
      return this.#save(crypto.randomUUID().replaceAll('-', '').slice(0, 21), body);
    },
    replaceScheduledRevShare: ({ path: { scheduledRevShareId = '' }, body, query }) => {
      this.#checkGroup(query);
      this.#find(scheduledRevShareId);
      return this.#save(scheduledRevShareId, body);
    },
    deleteScheduledRevShare: ({ path: { scheduledRevShareId = '' }, query }) => {
      this.#checkGroup(query);
      const found = this.#find(scheduledRevShareId);
      this.#schedules = this.#schedules.filter((each) => each !== found);
      return { status: 200, body: found };
    },
  };

  #checkGroup(query: URLSearchParams): void {
    if (this.#group.isOther(query)) throw problem(404, 'InvalidGroup');
  }

  #find(id: string) {
    const found = this.#schedules.find((each) => each.id === id);
    if (found === undefined) throw problem(404, 'NotFound');
    return found;
  }

  #save(id: string, body: unknown): Answer {
    const { revShare, startDate, endDate, tierRevenueShares } = Object(body) as Partial<ScheduleTerms>;
    if (startDate === undefined || endDate === undefined)
      throw new Rejection(400, { errors: [{ message: 'startDate and endDate are required' }] });
    if (revShare === undefined && tierRevenueShares === undefined)
      throw new Rejection(400, { errors: [{ message: 'revShare or tierRevenueShares is required' }] });
    const [start, end] = [Date.parse(startDate), Date.parse(endDate)];
    if (!(start < end)) throw new Rejection(400, 'endDate must be after startDate');
    const others = this.#schedules.filter((each) => each.id !== id);
    if (others.some((each) => start < Date.parse(each.endDate) && Date.parse(each.startDate) < end))
      throw problem(409, 'Conflict', 'The schedule overlaps another schedule.');
    const schedule = {
      id,
      revShare: revShare ?? this.#group.revShare,
      startDate: new Date(start).toISOString(),
      endDate: new Date(end).toISOString(),
      groupId: 'main',
      groupName: 'Main',
      tierRevenueShares: (tierRevenueShares ?? []).map((each) => ({
        ...each,
        tierName: this.#group.tiers.find(({ id }) => id === each.tierId)?.name ?? each.tierId,
      })),
    };
    this.#schedules = [...others, schedule];
    return { status: 200, body: schedule };
  }
}

function statusOf(
  { startDate, endDate }: { startDate: string; endDate: string },
  nowMs: number,
): ListedScheduledRevenueShare['status'] {
  if (Date.parse(endDate) <= nowMs) return 'Ended';
  return Date.parse(startDate) <= nowMs ? 'Active' : 'Upcoming';
}
