import type { Notifications } from '../../client/types.gen.ts';
import { msg, t } from '../../ui/text.ts';

export type DigestSubject = Notifications['digestSubjects'][number];
export type ImmediateSubject = Notifications['immediateSubjects'][number];
export type Frequency = 'off' | 'daily' | 'weekly';

interface Words {
  name: string;
  about: string;
}

export const digestWords: Readonly<Record<DigestSubject, Words>> = {
  money: {
    name: msg('Purchases and shares'),
    about: msg('By currency, compared with the previous period.'),
  },
  creators: { name: msg('Creators'), about: msg('Creators waiting for approval, by group.') },
  payouts: { name: msg('Payouts'), about: msg('Amounts due, and payouts not yet marked as paid.') },
  webhooks: { name: msg('Webhook endpoints'), about: msg('Endpoints that are failing or turned off.') },
  requests: { name: msg('Rejected requests'), about: msg('Number of rejected requests for each operation.') },
  ledger: {
    name: msg('Ledger'),
    about: msg('Unexplained discrepancies, and purchases waiting to be posted.'),
  },
};

export const immediateWords: Readonly<Record<ImmediateSubject, Words>> = {
  webhooks: {
    name: msg('Failing webhook endpoint'),
    about: msg('After five minutes of failures, and when it works again.'),
  },
  connectors: {
    name: msg('Failing connector'),
    about: msg('When requests are rejected or events fail, and when that ends.'),
  },
  payouts: {
    name: msg('Payout waiting for a second person'),
    about: msg('When it’s created, and when it’s marked as paid or canceled.'),
  },
  ledger: {
    name: msg('Ledger discrepancy'),
    about: msg('When a verification finds a discrepancy, and when the ledger balances again.'),
  },
  channels: {
    name: msg('Disabled channel'),
    about: msg('When messages to Slack or Discord fail too often.'),
  },
};

/** Saved choice of a person or a channel. */
export interface Choice {
  timeZone: string;
  hour: number;
  daily: DigestSubject[];
  weekly: DigestSubject[];
  immediate: ImmediateSubject[];
}

export const frequencyOf = ({ daily, weekly }: Choice, subject: DigestSubject): Frequency =>
  daily.includes(subject) ? 'daily' : weekly.includes(subject) ? 'weekly' : 'off';

/** Returns the choice with a different frequency for one subject. */
export function withFrequency(choice: Choice, subject: DigestSubject, frequency: Frequency): Choice {
  const without = (subjects: readonly DigestSubject[]): DigestSubject[] =>
    subjects.filter((each) => each !== subject);
  return {
    ...choice,
    daily: [...without(choice.daily), ...(frequency === 'daily' ? [subject] : [])],
    weekly: [...without(choice.weekly), ...(frequency === 'weekly' ? [subject] : [])],
  };
}

/** Returns the choice with its subjects in a fixed order, for comparisons. */
export const sorted = ({ timeZone, hour, daily, weekly, immediate }: Choice): Choice => ({
  timeZone,
  hour,
  daily: [...daily].sort(),
  weekly: [...weekly].sort(),
  immediate: [...immediate].sort(),
});

export const choiceOf = ({ timeZone, hour, daily, weekly, immediate }: Choice): Choice => ({
  timeZone,
  hour,
  daily,
  weekly,
  immediate,
});

export const hourText = (hour: number): string => `${String(hour).padStart(2, '0')}:00`;

export const zoneText = (zone: string): string => zone.replaceAll('_', ' ');

export const ownZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Fields of a choice as text, for comparing two versions. */
export function describeChoice(choice: Choice): [string, string][] {
  const names = (subjects: readonly DigestSubject[]): string =>
    subjects.map((subject) => t(digestWords[subject].name)).join(', ') || t('None');
  return [
    [t('Time zone'), zoneText(choice.timeZone)],
    [t('Hour'), hourText(choice.hour)],
    [t('Daily'), names(choice.daily)],
    [t('Weekly'), names(choice.weekly)],
    [
      t('Immediately'),
      choice.immediate.map((subject) => t(immediateWords[subject].name)).join(', ') || t('None'),
    ],
  ];
}
