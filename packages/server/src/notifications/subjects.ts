import { type Permission, permissionsOf, type Role } from '../accounts/roles.ts';

/** Subjects of digests, in the order of a digest, each with the permission required to see it. */
export const digestSubjects = {
  money: 'read',
  creators: 'read',
  payouts: 'read',
  webhooks: 'webhooks',
  requests: 'keys',
  ledger: 'read',
} as const satisfies Readonly<Record<string, Permission>>;

/**
 * Subjects of immediate notifications, each with the permission of the people who act on it. Only people who may mark a
 * payout as paid are notified that it is waiting for a second person.
 */
export const immediateSubjects = {
  webhooks: 'webhooks',
  connectors: 'webhooks',
  payouts: 'payouts',
  ledger: 'verify',
  channels: 'team',
} as const satisfies Readonly<Record<string, Permission>>;

export type DigestSubject = keyof typeof digestSubjects;
export type ImmediateSubject = keyof typeof immediateSubjects;

export const digestSubjectNames = Object.keys(digestSubjects) as DigestSubject[];
export const immediateSubjectNames = Object.keys(immediateSubjects) as ImmediateSubject[];

/** Kinds of notifications. Each contains a link that turns it off. */
export const notificationKinds = ['daily', 'weekly', 'immediate'] as const;
export type NotificationKind = (typeof notificationKinds)[number];

/** Returns the subjects that a role may see. A channel's role is null, so it sees all of them. */
export const digestSubjectsOf = (role: Role | null): DigestSubject[] =>
  digestSubjectNames.filter((subject) => role === null || permissionsOf[role].has(digestSubjects[subject]));

export const immediateSubjectsOf = (role: Role | null): ImmediateSubject[] =>
  immediateSubjectNames.filter(
    (subject) => role === null || permissionsOf[role].has(immediateSubjects[subject]),
  );
