import type { IconName } from '../../ui/icons.tsx';
import { msg, t } from '../../ui/text.ts';

/** Action that can be found by name in the search. */
interface SearchAction {
  key: string;
  title: string;
  /** Additional words that match the action. */
  words: string;
  icon: IconName;
  permission: string;
  /** Screen and query that start the action, or where the action can be performed. */
  to: string;
  /** True for a frequent action, which is offered before anything is typed. */
  isFrequent?: true;
}

const all: readonly SearchAction[] = [
  {
    key: 'payout',
    title: msg('Create payout'),
    words: msg('new make pay creators due'),
    icon: 'payouts',
    permission: 'payouts',
    to: 'payouts',
    isFrequent: true,
  },
  {
    key: 'schedule',
    title: msg('Create schedule'),
    words: msg('new add weekend share'),
    icon: 'shares',
    permission: 'program',
    to: 'shares?open=new',
    isFrequent: true,
  },
  {
    key: 'tier',
    title: msg('Create tier'),
    words: msg('new add'),
    icon: 'shares',
    permission: 'program',
    to: 'shares?tab=tiers&open=new',
  },
  {
    key: 'sku',
    title: msg('Create SKU share'),
    words: msg('new add'),
    icon: 'shares',
    permission: 'program',
    to: 'shares?tab=skus&open=new',
  },
  {
    key: 'group',
    title: msg('Create group'),
    words: msg('new add creator'),
    icon: 'shares',
    permission: 'program',
    to: 'shares?tab=groups&open=new',
  },
  {
    key: 'bounty',
    title: msg('Create bounty'),
    words: msg('new add reward'),
    icon: 'bounties',
    permission: 'program',
    to: 'bounties?open=new',
    isFrequent: true,
  },
  {
    key: 'creator',
    title: msg('Add creator'),
    words: msg('new create member'),
    icon: 'creators',
    permission: 'members',
    to: 'creators?do=add',
    isFrequent: true,
  },
  {
    key: 'list',
    title: msg('Edit many creators'),
    words: msg('add approve invite paste list tier tag applicants'),
    icon: 'creators',
    permission: 'members',
    to: 'creators?do=list',
    isFrequent: true,
  },
  {
    key: 'import',
    title: msg('Import creators from CSV'),
    words: msg('add many table upload'),
    icon: 'upload',
    permission: 'members',
    to: 'creators/import',
  },
  {
    key: 'check',
    title: msg('Check code'),
    words: msg('why refused rejected'),
    icon: 'help',
    permission: 'read',
    to: 'creators?check=?',
    isFrequent: true,
  },
  {
    key: 'rejected',
    title: msg('Rejected requests'),
    words: msg('refused errors'),
    icon: 'developers',
    permission: 'keys',
    to: 'developers?tab=requests',
  },
  {
    key: 'key',
    title: msg('Create API key'),
    words: msg('new make add'),
    icon: 'key',
    permission: 'keys',
    to: 'developers?do=add',
    isFrequent: true,
  },
  {
    key: 'connector',
    title: msg('Add connector'),
    words: msg('new create stripe xsolla shop provider'),
    icon: 'connectors',
    permission: 'webhooks',
    to: 'connectors?do=add',
    isFrequent: true,
  },
  {
    key: 'endpoint',
    title: msg('Add webhook endpoint'),
    words: msg('new create'),
    icon: 'webhooks',
    permission: 'webhooks',
    to: 'webhooks?do=add',
  },
  {
    key: 'invite',
    title: msg('Invite colleague'),
    words: msg('add new person staff team'),
    icon: 'team',
    permission: 'team',
    to: 'team?do=add',
    isFrequent: true,
  },
];

export interface Offer {
  key: string;
  title: string;
  icon: IconName;
  /** Path and query, relative to the publisher's own path. */
  to: string;
}

type May = (permission: string) => boolean;

/** @returns allowed actions whose names contain all the typed words; the frequent ones until something is typed */
export function actionsNamed(typed: string, may: May): Offer[] {
  const wanted = wordsOf(typed);
  return all
    .filter(({ permission }) => may(permission))
    .filter(({ title, words, isFrequent }) => {
      if (wanted.length === 0) return isFrequent;
      const known = [...wordsOf(t(title)), ...wordsOf(t(words))];
      return wanted.every((word) => known.some((each) => each.startsWith(word)));
    })
    .map(({ key, title, icon, to }) => ({ key: `do ${key}`, title: t(title), icon, to }));
}

const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');

/** Text that a player may have entered as a code, even if no code may have such letters. */
const codePattern = /^\S{1,255}$/;

/** @returns links that treat the text as a creator's code, whether or not such a code exists */
export function offersFor(typed: string, group: string | undefined, may: May): Offer[] {
  if (!codePattern.test(typed)) return [];
  const code = encodeURIComponent(typed);
  const inGroup = group === undefined ? '' : `&group=${encodeURIComponent(group)}`;
  return [
    ...(may('read')
      ? [
          {
            key: 'check',
            title: t('Check code “{code}”', { code: typed }),
            icon: 'help' as const,
            to: `creators?check=${code}${inGroup}`,
          },
        ]
      : []),
    ...(may('keys')
      ? [
          {
            key: 'rejected',
            title: t('Rejected requests with “{code}”', { code: typed }),
            icon: 'developers' as const,
            to: `developers?tab=requests&sentCode=${code}`,
          },
        ]
      : []),
  ];
}
