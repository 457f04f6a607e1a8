import { type Static, Type } from 'typebox';
import { alsoSent } from '../../platform/http/schemas/known-names.ts';
import {
  bodyErrors,
  errorBody,
  errorsBody,
  secretErrors,
  text,
  timestamp,
} from '../../platform/http/schemas/schemas.ts';
import { nullIsAbsent } from '../../platform/http/schemas/validation.ts';
import { toTierId } from '../../platform/ids.ts';
import { millionthsToPercent, percentToMillionths } from '../../platform/percent.ts';
import { Refusal } from '../../platform/refusal.ts';
import { readTimestamp } from '../../platform/timestamps.ts';
import { type CreatorGroup, namesOf } from '../../publishers/programs.ts';
import { maxTiers, type Schedule, type ScheduleTerms } from './schedule-terms.ts';

const percent = (description: string) => Type.Number({ minimum: 1, maximum: 100, description });

export const scheduleBody = Type.Object(
  {
    revShare: Type.Optional(
      percent(
        'Percentage for all members of the group during the window. Avoid exactly 1, which is stored as 100 percent.',
      ),
    ),
    startDate: timestamp('Start of the window.'),
    endDate: timestamp('End of the window (exclusive).'),
    tierRevenueShares: Type.Optional(
      Type.Array(
        Type.Object(
          {
            revShare: percent('Percentage for the members of the tier.'),
            tierId: text(255, 'Id of the tier, not its name.'),
          },
          { title: 'TierShare', description: 'The share of one tier.', ...alsoSent('tierName') },
        ),
        { maxItems: maxTiers },
      ),
    ),
  },
  {
    ...nullIsAbsent,
    // Ignored, so that callers can send a schedule back as they read it.
    ...alsoSent('id', 'status', 'groupId', 'groupName'),
    anyOf: [
      { required: ['revShare'] },
      { required: ['tierRevenueShares'], properties: { tierRevenueShares: { minItems: 1 } } },
    ],
    title: 'ScheduleTerms',
    description: 'Terms of a schedule. At least one of `revShare` and `tierRevenueShares` is required.',
  },
);

export const scheduleFields = {
  id: Type.String({ minLength: 21, maxLength: 21 }),
  revShare: Type.Number({
    description:
      "Percentage for all members of the group. The group's default if the schedule has only tier shares.",
  }),
  startDate: Type.String({ format: 'date-time' }),
  endDate: Type.String({ format: 'date-time' }),
  groupId: Type.String(),
  groupName: Type.String(),
  tierRevenueShares: Type.Array(
    Type.Object(
      {
        revShare: Type.Number({ description: 'Percentage for the members of the tier.' }),
        tierId: Type.String(),
        tierName: Type.String(),
      },
      { title: 'TierRevenueShare', description: 'The share of one tier during the window.' },
    ),
  ),
};
export const scheduleModel = {
  title: 'ScheduledRevenueShare',
  description: 'Revenue shares that apply during a window of time.',
};
export const scheduleObject = Type.Object(scheduleFields, scheduleModel);
export const schedulePath = Type.Object({
  scheduledRevShareId: Type.String({ description: 'Id of the schedule, 21 characters.' }),
});

export const savingErrors = {
  400: errorsBody('Invalid body, with an `errors` array. Plain text if the window ends before it starts.'),
  404: errorBody('InvalidGroup, or NotFound: the group has no such schedule.'),
  409: errorBody('Conflict: the window overlaps another schedule of the group.'),
  ...bodyErrors,
  ...secretErrors,
};

export type ScheduleBody = Static<typeof scheduleBody>;

/** Meaning of a revShare of exactly 1 (D23): 100 percent (the contract's defect) or one percent. */
export type RevShareOne = 'contract' | 'one-percent';

export const termsOfBody = (
  { startDate, endDate, revShare, tierRevenueShares = [] }: ScheduleBody,
  one: RevShareOne,
): ScheduleTerms => ({
  startsAt: readTimestamp(startDate),
  endsAt: readTimestamp(endDate),
  shareMillionths: revShare === undefined ? null : storedShare(revShare, one),
  tierShares: tierRevenueShares.map(({ tierId, revShare }) => ({
    tierId: toTierId(tierId),
    shareMillionths: storedShare(revShare, one),
  })),
});

/** Runs work that saves the terms in a body. In its errors, renames the tiers field to its name in the body. */
export async function withBodyPaths<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Refusal) || error.path?.[0] !== 'tierShares') throw error;
    throw new Refusal(error.code, error.message.replace('tierShares', 'tierRevenueShares'), {
      path: ['tierRevenueShares', ...error.path.slice(1)],
      cause: error,
    });
  }
}

/**
 * Converts a revShare to millionths. Because of the contract's known defect, only values above 1 are
 * percentages, and 1 means 100 percent.
 */
const storedShare = (revShare: number, one: RevShareOne): number =>
  revShare === 1 && one === 'contract' ? 1_000_000 : percentToMillionths(revShare);

/** Returns whether a body has a share of exactly 1 that is stored as 100 percent. */
export const storesWhole = ({ revShare, tierRevenueShares = [] }: ScheduleBody, one: RevShareOne): boolean =>
  one === 'contract' && [revShare, ...tierRevenueShares.map((share) => share.revShare)].includes(1);

export const toAnswer = (schedule: Schedule, group: CreatorGroup) => ({
  id: schedule.scheduleId,
  revShare: millionthsToPercent(schedule.shareMillionths ?? group.shareMillionths),
  startDate: schedule.startsAt.toISOString(),
  endDate: schedule.endsAt.toISOString(),
  ...namesOf(group),
  tierRevenueShares: schedule.tierShares.map(({ tierId, tierName, shareMillionths }) => ({
    revShare: millionthsToPercent(shareMillionths),
    tierId,
    tierName,
  })),
});

export const statusOf = ({ startsAt, endsAt }: Schedule, now: Date): 'Active' | 'Upcoming' | 'Ended' =>
  endsAt <= now ? 'Ended' : startsAt > now ? 'Upcoming' : 'Active';
