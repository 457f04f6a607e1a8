import { msg, t } from '../../../ui/text.ts';

const words: Readonly<Record<string, string>> = {
  owner: msg('Owner'),
  manager: msg('Manager'),
  finance: msg('Finance'),
  support: msg('Support'),
  developer: msg('Developer'),
  viewer: msg('Viewer'),
};

export const roles = ['owner', 'manager', 'finance', 'support', 'developer', 'viewer'] as const;

export type Role = (typeof roles)[number];

const abouts: Readonly<Record<string, string>> = {
  owner: msg('Full access, including people and settings.'),
  manager: msg('Manages creators, shares, and bounties. No payouts, keys, or people.'),
  finance: msg('Manages payouts and clawbacks, exports data, and verifies the ledger.'),
  support: msg('Helps creators and buyers: approves creators, reverses purchases, issues auth codes.'),
  developer: msg('Manages keys, webhooks, and rejected requests.'),
  viewer: msg('Views the program, without buyers’ names or IDs.'),
};

export const roleAbout = (role: string): string => {
  const about = abouts[role];
  return about === undefined ? '' : t(about);
};

export const roleWord = (role: string): string => {
  const word = words[role];
  return word === undefined ? role : t(word);
};

export const roleChoices = (): { value: string; label: string }[] =>
  roles.map((role) => ({ value: role, label: roleWord(role) }));
