/** Subjects of emails that a creator can turn off, in the order in which they are shown. */
export const noticeSubjects = ['paid', 'returned', 'membership', 'first-sale', 'bounty'] as const;
export type NoticeSubject = (typeof noticeSubjects)[number];

/** Subject of each kind of email. Those about payout methods are for security, so they have none and can't be turned off. */
export const subjectOfKind = {
  'method-entered': null,
  'method-removed': null,
  paid: 'paid',
  returned: 'returned',
  approved: 'membership',
  refused: 'membership',
  removed: 'membership',
  'first-sale': 'first-sale',
  bounty: 'bounty',
} as const satisfies Readonly<Record<string, NoticeSubject | null>>;

export type NoticeKind = keyof typeof subjectOfKind;
export type MethodNoticeKind = Extract<NoticeKind, `method-${string}`>;
export type OptionalNoticeKind = Exclude<NoticeKind, MethodNoticeKind>;

/** Returns the subject of an email that can be turned off. */
export const subjectOf = (kind: OptionalNoticeKind): NoticeSubject => subjectOfKind[kind];

export const isMethodKind = (kind: NoticeKind): kind is MethodNoticeKind => subjectOfKind[kind] === null;
