import { versionOf } from '../platform/version.ts';

/** Permissions that staff can have, with their descriptions on the Team screen (docs/roles.md). */
export const permissions = {
  read: 'See everything except secrets',
  unmasked: 'See buyers’ names and IDs',
  members: 'Approve, change, import, and remove creators',
  approve: 'Approve creators',
  notes: 'Write notes on creators, and tag creators',
  'auth-codes': 'Issue auth codes for creators',
  program: 'Change shares, tiers, schedules, groups, and bounties',
  reverse: 'Reverse purchases, and place holds',
  payouts: 'Create, cancel, and pay payouts, and claw back payments',
  payees: 'Add, approve, and show payout methods, and download payment files',
  export: 'Export lists as files',
  webhooks: 'Change webhook endpoints and replay deliveries',
  keys: 'Create and revoke API keys, and view requests',
  verify: 'Verify the ledger',
  audit: 'Read the audit log',
  views: 'Share saved views of lists with the team',
  team: 'Invite and remove people, and change roles and settings',
} as const;

export type Permission = keyof typeof permissions;

export const roles = ['owner', 'manager', 'finance', 'support', 'developer', 'viewer'] as const;

export type Role = (typeof roles)[number];

/** Permissions of each role. The Team screen shows this table, and a test calls every route with every role. */
export const permissionsOf: Readonly<Record<Role, ReadonlySet<Permission>>> = {
  owner: new Set(Object.keys(permissions) as Permission[]),
  manager: new Set([
    'read',
    'unmasked',
    'members',
    'approve',
    'notes',
    'auth-codes',
    'program',
    'reverse',
    'export',
    'verify',
    'audit',
    'views',
  ]),
  finance: new Set([
    'read',
    'unmasked',
    'reverse',
    'payouts',
    'payees',
    'export',
    'verify',
    'audit',
    'views',
  ]),
  support: new Set(['read', 'unmasked', 'approve', 'notes', 'auth-codes', 'reverse', 'views']),
  developer: new Set(['read', 'unmasked', 'webhooks', 'keys', 'views']),
  viewer: new Set(['read']),
};

/**
 * Permissions of each role in a sandbox, where people keep their roles from the live publisher. Developers
 * may change the program, because no one is paid through a sandbox. The team can only be changed at the live
 * publisher.
 */
export const permissionsInSandbox: Readonly<Record<Role, ReadonlySet<Permission>>> = {
  ...permissionsOf,
  owner: new Set([...permissionsOf.owner].filter((permission) => permission !== 'team')),
  developer: new Set([...permissionsOf.developer, 'program']),
};

export const isRole = (value: string): value is Role => (roles as readonly string[]).includes(value);

export const roleVersion = (role: Role): string => versionOf([role]);
