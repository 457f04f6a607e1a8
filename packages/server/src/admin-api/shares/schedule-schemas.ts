import { type Static, Type } from 'typebox';
import { timestamp } from '../../platform/http/schemas/schemas.ts';
import { toTierId } from '../../platform/ids.ts';
import { closed, inputGroupId, inputPercent } from '../../platform/inputs.ts';
import { millionthsToPercent, percentToMillionths } from '../../platform/percent.ts';
import { readTimestamp } from '../../platform/timestamps.ts';
import {
  maxTiers,
  type Schedule,
  type ScheduleTerms,
  scheduleVersion,
} from '../../revenue-shares/schedules/schedule-terms.ts';
import { provenanceField } from '../provenance.ts';
import { nullable, time, versionField } from '../schemas.ts';
import { percentNumber } from './share-schemas.ts';

const window = {
  startsAt: timestamp('Start of the window.'),
  endsAt: timestamp('End of the window (exclusive).'),
};
export const shareFields = {
  groupId: inputGroupId,
  revShare: nullable(
    inputPercent(
      'Share for the whole group, in percent (1 is one percent); null if only tiers have a share.',
      1,
    ),
  ),
  tierShares: Type.Array(
    Type.Object(
      {
        tierId: Type.String({ format: 'uuid' }),
        revShare: inputPercent('Share for members of the tier, in percent.', 1),
      },
      closed,
    ),
    { maxItems: maxTiers },
  ),
};
export const termsFields = { ...shareFields, ...window };

const terms = Type.Object(termsFields);
type TermsInput = Static<typeof terms>;

export const readShares = ({ revShare, tierShares }: Pick<TermsInput, 'revShare' | 'tierShares'>) => ({
  shareMillionths: revShare === null ? null : percentToMillionths(revShare),
  tierShares: tierShares.map(({ tierId, revShare }) => ({
    tierId: toTierId(tierId.toLowerCase()),
    shareMillionths: percentToMillionths(revShare),
  })),
});

export const readTerms = (input: TermsInput): ScheduleTerms => ({
  startsAt: readTimestamp(input.startsAt),
  endsAt: readTimestamp(input.endsAt),
  ...readShares(input),
});

export const scheduleRow = Type.Object(
  {
    scheduleId: Type.String(),
    groupId: Type.String(),
    startsAt: time('Start of the window.'),
    endsAt: time('End of the window (exclusive).'),
    revShare: nullable(percentNumber('Share for the whole group; null if only tiers have a share.')),
    tierShares: Type.Array(
      Type.Object(
        {
          tierId: Type.String(),
          tierName: Type.String(),
          revShare: percentNumber('Share for members of the tier.'),
        },
        { title: 'ScheduledTierShare' },
      ),
    ),
    version: versionField,
    provenance: provenanceField,
  },
  { title: 'ShareSchedule' },
);

export const shownSchedule = (groupId: string, schedule: Schedule) => ({
  scheduleId: schedule.scheduleId,
  groupId,
  startsAt: schedule.startsAt,
  endsAt: schedule.endsAt,
  revShare: schedule.shareMillionths === null ? null : millionthsToPercent(schedule.shareMillionths),
  tierShares: schedule.tierShares.map(({ tierId, tierName, shareMillionths }) => ({
    tierId,
    tierName,
    revShare: millionthsToPercent(shareMillionths),
  })),
  version: scheduleVersion(groupId, schedule),
});
