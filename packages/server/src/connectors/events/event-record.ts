/** States of an event, and the reasons for them (docs/connectors.md). */
export const eventStatuses = ['Waiting', 'Done', 'Ignored', 'Failed'] as const;
export type EventStatus = (typeof eventStatuses)[number];

/** Kinds of movements that events are read as. */
export const readKinds = ['Sale', 'Refund', 'Reversed', 'Dispute', 'Ignored', 'Unreadable'] as const;
export type ReadKind = (typeof readKinds)[number];

export const eventReasons = {
  Waiting: ['New', 'NoPurchase', 'NoRefund', 'PaidOut', 'Retry'],
  Done: [
    'Recorded',
    'AlreadyRecorded',
    'Refunded',
    'AlreadyRefunded',
    'ClawedBack',
    'Held',
    'AlreadyHeld',
    'Released',
    'ChargedBack',
    'Reinstated',
  ],
  Ignored: [
    'Type',
    'Pending',
    'Subscription',
    'OtherSale',
    'Free',
    'NoCode',
    'CodeNotInGroup',
    'Live',
    'Renewal',
    'Test',
    'TooLate',
    'NothingLeft',
    'AlreadyClosed',
    'PaidOut',
  ],
  Failed: ['Unreadable', 'Conflict', 'Invalid', 'Error'],
} as const;

export type EventReason = (typeof eventReasons)[EventStatus][number];

/** Binds a sealed body to its event. */
export const bodyPlace = (publisherId: string, eventId: string): readonly string[] => [
  'connector_event',
  publisherId,
  eventId,
];

/** Time for which what arrived is kept, for reading it again, and for which an unknown code may still be approved. */
export const keptMs = 30 * 86_400_000;

/** Time for which a refund or dispute waits for its purchase. */
export const waitsForPurchaseMs = 7 * 86_400_000;
