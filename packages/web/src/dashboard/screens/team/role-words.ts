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

/** What a role is called. */
export const roleWord = (role: string): string => {
  const word = words[role];
  return word === undefined ? role : t(word);
};

export const roleChoices = (): { value: string; label: string }[] =>
  roles.map((role) => ({ value: role, label: roleWord(role) }));
