import { Type } from 'typebox';
import type { DescribedEvent } from '../../webhooks/describe-webhook.ts';
import { scheduleFields, scheduleModel } from './schedule-model.ts';

const event = Type.Object(scheduleFields, { ...scheduleModel, title: 'ScheduleEvent' });
const example = {
  id: 'kQ3vT8wXy_1nB5dLr-0aM',
  revShare: 15,
  startDate: '2030-12-01T00:00:00.000Z',
  endDate: '2030-12-08T00:00:00.000Z',
  groupId: 'main',
  groupName: 'Aurora Creators',
  tierRevenueShares: [{ revShare: 25, tierId: '7d0c5a3e-52f4-4c1b-9a68-0d1e6f2b7c90', tierName: 'Gold' }],
};

export const scheduleEvents: readonly DescribedEvent[] = [
  {
    kind: 'RevenueShare/ScheduleStarted',
    description: 'Occurs whenever a schedule starts.',
    event,
    example,
  },
  {
    kind: 'RevenueShare/ScheduleEnded',
    description: 'Occurs whenever a schedule ends, or is deleted while it is in effect.',
    event,
    example,
  },
];
