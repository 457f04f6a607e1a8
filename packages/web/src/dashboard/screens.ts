import type { ComponentType } from 'react';
import type { IconName } from '../ui/icons.tsx';
import { msg } from '../ui/text.ts';

export interface ScreenInfo {
  /**
   * Path under `/p/$publisherId/`, and folder of the screen. `screens/<path>/screen.tsx` exports `Screen`.
   */
  path: string;
  /** The navigation separates sections by a gap. */
  section: 'purchases' | 'program' | 'money' | 'integration' | 'publisher';
  title: string;
  icon: IconName;
  permission: string;
  /** Letter that opens the screen when typed after G. */
  letter: string;
  /**
   * Creator groups that the screen shows: always `one` or always `all`. If absent, the header's group
   * selection applies.
   */
  groups?: 'one' | 'all';
}

const all: readonly ScreenInfo[] = [
  {
    path: 'overview',
    section: 'purchases',
    title: msg('Overview'),
    icon: 'overview',
    permission: 'read',
    letter: 'o',
  },
  {
    path: 'transactions',
    section: 'purchases',
    title: msg('Transactions'),
    icon: 'transactions',
    permission: 'read',
    letter: 't',
  },
  {
    path: 'creators',
    section: 'program',
    title: msg('Creators'),
    icon: 'creators',
    permission: 'read',
    letter: 'c',
  },
  {
    path: 'shares',
    section: 'program',
    title: msg('Shares'),
    icon: 'shares',
    permission: 'read',
    letter: 's',
    groups: 'one',
  },
  {
    path: 'bounties',
    section: 'program',
    title: msg('Bounties'),
    icon: 'bounties',
    permission: 'read',
    letter: 'b',
  },
  {
    path: 'payouts',
    section: 'money',
    title: msg('Payouts'),
    icon: 'payouts',
    permission: 'read',
    letter: 'p',
  },
  {
    path: 'ledger',
    section: 'money',
    title: msg('Ledger'),
    icon: 'ledger',
    permission: 'read',
    letter: 'l',
    groups: 'all',
  },
  {
    path: 'connectors',
    section: 'integration',
    title: msg('Connectors'),
    icon: 'connectors',
    permission: 'webhooks',
    letter: 'n',
    groups: 'all',
  },
  {
    path: 'webhooks',
    section: 'integration',
    title: msg('Webhooks'),
    icon: 'webhooks',
    permission: 'webhooks',
    letter: 'w',
    groups: 'all',
  },
  {
    path: 'developers',
    section: 'integration',
    title: msg('Developers'),
    icon: 'developers',
    permission: 'keys',
    letter: 'd',
    groups: 'all',
  },
  {
    path: 'audit',
    section: 'publisher',
    title: msg('Audit'),
    icon: 'audit',
    permission: 'audit',
    letter: 'a',
    groups: 'all',
  },
  {
    path: 'team',
    section: 'publisher',
    title: msg('Team'),
    icon: 'team',
    permission: 'read',
    letter: 'm',
    groups: 'all',
  },
  {
    path: 'sandbox',
    section: 'publisher',
    title: msg('Sandbox'),
    icon: 'sandbox',
    permission: 'read',
    letter: 'x',
    groups: 'all',
  },
  {
    path: 'settings',
    section: 'publisher',
    title: msg('Settings'),
    icon: 'settings',
    permission: 'read',
    letter: 'e',
    groups: 'all',
  },
];

type Load = () => Promise<ComponentType>;

const modules = import.meta.glob<ComponentType>('./screens/*/screen.tsx', { import: 'Screen' });

const loadOf = (path: string): Load | undefined => modules[`./screens/${path}/screen.tsx`];

/** Existing screens in navigation order, each with its loader. */
export const screens: readonly (ScreenInfo & { load: Load })[] = all.flatMap((screen) => {
  const load = loadOf(screen.path);
  return load === undefined ? [] : [{ ...screen, load }];
});
