import type { AuditName } from '../../../client/types.gen.ts';

/** Where a person looks at something that an entry names. */
export interface Place {
  /** As ScreenLink has it. */
  screen: string;
  query?: Readonly<Record<string, string | undefined>>;
  /** Who may go there; everybody without it. */
  permission?: string;
}

/** Of a kind and an id as entries have them. */
export interface Thing {
  kind: string;
  id: string;
}

/** `kind:id` taken apart. */
export function readTarget(target: string): Thing {
  const at = target.indexOf(':');
  return { kind: target.slice(0, at), id: target.slice(at + 1) };
}

/**
 * @param name what is known of it; undefined of what has none, or is no more
 * @returns null where nothing is to be seen of it
 */
export function placeOf({ kind, id }: Thing, name: AuditName | undefined): Place | null {
  const find = Object.hasOwn(unnamed, kind) ? unnamed[kind] : undefined;
  if (find !== undefined) return find(id);
  const place = Object.hasOwn(places, kind) ? places[kind] : undefined;
  return name === undefined || name.isGone || place === undefined
    ? null
    : place(id, name.within ?? undefined);
}

type Find = (id: string, within?: string) => Place;

/** Of what has no name, and is never gone. */
const unnamed: Readonly<Record<string, Find>> = {
  transaction: (open) => ({ screen: 'transactions', query: { open } }),
  'payout-month': (month) => ({ screen: 'payouts/month', query: { month } }),
  'ledger-verification': () => ({ screen: 'ledger' }),
  'webhook-event': (open) => ({ screen: 'webhooks', query: { open }, permission: 'webhooks' }),
};

const places: Readonly<Record<string, Find>> = {
  publisher: () => ({ screen: 'settings' }),
  member: (id, group) => ({
    screen: 'creators',
    query: { open: group === undefined ? id : `${group}/${id}` },
  }),
  group: (open) => ({ screen: 'shares', query: { tab: 'groups', open } }),
  tier: (open, group) => ({ screen: 'shares', query: { group, tab: 'tiers', open } }),
  // A list of SKUs has pages: theirs is not known.
  'sku-share': (_id, group) => ({ screen: 'shares', query: { group, tab: 'skus' } }),
  schedule: (open, group) => ({ screen: 'shares', query: { group, open } }),
  bounty: (open) => ({ screen: 'bounties', query: { open } }),
  'bounty-reward': (_id, open) => ({ screen: 'bounties', query: { open } }),
  payout: (id) => ({ screen: `payouts/${encodeURIComponent(id)}` }),
  key: () => ({ screen: 'developers', permission: 'keys' }),
  'webhook-endpoint': (id) => ({ screen: `webhooks/${encodeURIComponent(id)}`, permission: 'webhooks' }),
  token: () => ({ screen: 'team', query: { tab: 'tokens' }, permission: 'team' }),
  invitation: () => ({ screen: 'team', query: { tab: 'invitations' }, permission: 'team' }),
  staff: () => ({ screen: 'team' }),
};
