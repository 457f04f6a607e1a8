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
  owner: msg('Everything, people and settings too.'),
  manager: msg('Runs the program: creators, shares, bounties. No payouts, keys or people.'),
  finance: msg('Pays, takes back, exports, proves the ledger.'),
  support: msg('Answers creators and buyers: approves, reverses, issues auth codes.'),
  developer: msg('Keys, webhooks and refused requests.'),
  viewer: msg('Sees the program, without buyers’ names and ids.'),
};

/** What somebody of a role does, in a sentence. */
export const roleAbout = (role: string): string => {
  const about = abouts[role];
  return about === undefined ? '' : t(about);
};

/** What a role is called. */
export const roleWord = (role: string): string => {
  const word = words[role];
  return word === undefined ? role : t(word);
};

export const roleChoices = (): { value: string; label: string }[] =>
  roles.map((role) => ({ value: role, label: roleWord(role) }));
