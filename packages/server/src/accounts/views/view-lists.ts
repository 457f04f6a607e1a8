import { Refusal } from '../../platform/refusal.ts';
import type { Permission } from '../roles.ts';

interface ViewList {
  /** Permission required to read the list. */
  permission: Permission;
  /**
   * URL parameters that a view of the list can contain. They must not include the position in the list, the
   * open row or anything secret, because a view is shown to the whole team.
   */
  names: readonly string[];
}

/** Dashboard lists that can have saved views. `hide` names the hidden columns. */
export const viewLists = {
  transactions: {
    permission: 'read',
    names: [
      'group',
      'id',
      'code',
      'creator',
      'payout',
      'status',
      'origin',
      'from',
      'until',
      'currency',
      'sort',
      'hide',
    ],
  },
  creators: {
    permission: 'read',
    names: ['group', 'tab', 'q', 'tier', 'tag', 'credits', 'balanceIn', 'hide'],
  },
  bounties: { permission: 'read', names: ['group', 'tab', 'state', 'hide'] },
  due: { permission: 'read', names: ['group', 'currency', 'state', 'hide'] },
  payouts: { permission: 'read', names: ['group', 'status', 'currency', 'hide'] },
  balances: { permission: 'read', names: ['group', 'q', 'currency', 'owing', 'hide'] },
  clawbacks: { permission: 'read', names: ['group', 'waiting', 'hide'] },
  deliveries: { permission: 'webhooks', names: ['state', 'hide'] },
  requests: { permission: 'keys', names: ['keyId', 'operation', 'code', 'sentCode', 'each', 'hide'] },
  audit: {
    permission: 'audit',
    names: ['actorKind', 'actorId', 'action', 'target', 'from', 'until', 'hide'],
  },
} as const satisfies Record<string, ViewList>;

export type ViewListName = keyof typeof viewLists;

export const viewListNames = Object.keys(viewLists) as ViewListName[];

/** Parameters of a list's URL: filters, sort order and hidden columns. */
export type ViewQuery = Readonly<Record<string, string>>;

/** Returns the parameters in a fixed order. @throws Refusal InvalidInput for a parameter that a view can't contain */
export function readViewQuery(list: ViewListName, query: ViewQuery): ViewQuery {
  const { names }: ViewList = viewLists[list];
  for (const name of Object.keys(query))
    if (!names.includes(name))
      throw new Refusal(
        'InvalidInput',
        `A view of ${list} can't contain ${JSON.stringify(name)}. It can contain ${names.join(', ')}.`,
        { path: ['query', name] },
      );
  return Object.fromEntries(
    names.flatMap((name) => (query[name] === undefined ? [] : [[name, query[name]]])),
  );
}
