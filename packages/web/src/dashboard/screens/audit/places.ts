import type { AuditName } from '../../../client/types.gen.ts';

export interface Place {
  /** Path of the screen, as passed to `ScreenLink`. */
  screen: string;
  query?: Readonly<Record<string, string | undefined>>;
  /** Permission needed to open the screen; absent if none is needed. */
  permission?: string;
}

/** Kind and id of a target, as in audit entries. */
export interface Thing {
  kind: string;
  id: string;
}

export function readTarget(target: string): Thing {
  const [kind = '', ...id] = target.split(':');
  return { kind, id: id.join(':') };
}

/**
 * @param name name of the target; undefined if the target has no name or no longer exists
 * @returns null if no screen shows the target
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

/** Screens for targets that have no name and are never removed. */
const unnamed: Readonly<Record<string, Find>> = {
  transaction: (open) => ({ screen: 'transactions', query: { open } }),
  'payout-month': (month) => ({ screen: 'payouts/month', query: { month } }),
  'pay-run': (id) => ({ screen: `payouts/runs/${encodeURIComponent(id)}` }),
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
  // The SKU list is paged, and the SKU's page is unknown.
  'sku-share': (_id, group) => ({ screen: 'shares', query: { group, tab: 'skus' } }),
  schedule: (open, group) => ({ screen: 'shares', query: { group, open } }),
  bounty: (open) => ({ screen: 'bounties', query: { open } }),
  'bounty-reward': (_id, open) => ({ screen: 'bounties', query: { open } }),
  payout: (id) => ({ screen: `payouts/${encodeURIComponent(id)}` }),
  key: () => ({ screen: 'developers', permission: 'keys' }),
  'webhook-endpoint': (id) => ({ screen: `webhooks/${encodeURIComponent(id)}`, permission: 'webhooks' }),
  'notification-channel': () => ({ screen: 'settings', permission: 'team' }),
  token: () => ({ screen: 'team', query: { tab: 'tokens' }, permission: 'team' }),
  invitation: () => ({ screen: 'team', query: { tab: 'invitations' }, permission: 'team' }),
  staff: () => ({ screen: 'team' }),
};
