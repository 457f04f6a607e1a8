import { type RawBuilder, sql } from 'kysely';

export const states = ['running', 'coming', 'over'] as const;
export type BountyState = (typeof states)[number];

export function isInState(state: BountyState, now: Date): RawBuilder<unknown> {
  switch (state) {
    case 'running':
      return sql`b.ended_at is null and b.starts_at <= ${now} and (b.ends_at is null or b.ends_at > ${now})`;
    case 'coming':
      return sql`b.ended_at is null and b.starts_at > ${now}`;
    case 'over':
      return sql`(b.ended_at is not null or b.ends_at <= ${now})`;
  }
}

interface Window {
  startsAt: Date;
  endsAt: Date | null;
  isEnded: boolean;
}

export function stateOf({ startsAt, endsAt, isEnded }: Window, now: Date): BountyState {
  if (isEnded || (endsAt !== null && endsAt <= now)) return 'over';
  return startsAt > now ? 'coming' : 'running';
}
