import { firstRow, press, type Step, seen, steps } from './opening.ts';
import type { State } from './state.ts';

const at = (path: string): string => `/p/aurora/${path}`;

/** Responds to the requests for applications. The demo has none, because its portal is off. */
const answers =
  (path: string, json: object, status = 200): Step =>
  async (page) => {
    await page.route(`**/admin/v1/publishers/aurora/${path}/applications`, (route) =>
      route.fulfill({ status, json }),
    );
    await page.reload();
  };

const inView =
  (part: string): Step =>
  (page) =>
    page.getByRole('region', { name: part }).last().scrollIntoViewIfNeeded();

const applied = {
  groupId: 'main',
  groupName: 'Main',
  code: 'ALICE_AND_THE_LOOKING_GLASS-2026',
  appliedAt: '2026-11-02T09:30:00.000Z',
  expiresAt: '2026-12-02T09:30:00.000Z',
  terms: { version: 3, sha256: 'a'.repeat(64) },
};
const email = 'alice.with.a.long.name@studios.of.the.looking-glass.example';
const failure = { code: 'RateLimited', message: 'Too many requests. Try again in a moment.' };

const alice = at('creators?q=Alice&group=main');
const ofCreator = (name: string, json: object, status?: number): State => ({
  name: `creators-application-${name}`,
  path: alice,
  open: steps(
    answers('members/*', json, status),
    firstRow,
    status === undefined ? inView('Application') : seen('Too many requests'),
  ),
});

const settings = {
  isOpen: true,
  maxPending: 500,
  reservedCodes: ['admin', 'official', 'support', 'the_looking_glass_of_aurora-2026'],
  terms: {
    version: 3,
    sha256: 'a'.repeat(64),
    createdAt: '2026-11-02T09:30:00.000Z',
    text: 'Say that you are paid for purchases with your code.\nYou are 13 or older.',
  },
  undecided: 12,
  url: 'https://creators.aurora-entertainment-worldwide.example/creators/apply/aurora/main',
  version: 4,
};
const ofGroup = (name: string, json: object, status?: number): State => ({
  name: `settings-applications-${name}`,
  path: at('settings'),
  open: steps(
    answers('groups/*', json, status),
    firstRow,
    status === undefined ? inView('Applications') : seen('Too many requests'),
  ),
});

/** Applications in the drawer of a creator, and in the settings of a group. */
export const applicationStates: readonly State[] = [
  ofCreator('open', {
    rows: [{ ...applied, state: 'Open', decidedAt: null, reason: null }],
    email,
  }),
  ofCreator('refused', {
    rows: [
      {
        ...applied,
        state: 'Refused',
        decidedAt: '2026-11-20T09:30:00.000Z',
        reason: 'We are looking for creators with at least 1,000 followers.',
      },
    ],
    email: null,
  }),
  ofGroup('open', settings),
  {
    name: 'settings-applications-invalid',
    path: at('settings'),
    open: steps(
      answers('groups/*', { ...settings, isOpen: false, terms: null, undecided: 0 }),
      firstRow,
      (page) => page.getByRole('switch', { name: 'Accept applications' }).press('Space'),
      press('Update application settings'),
      seen('Terms are required.'),
    ),
  },
];

export const failingApplicationStates: readonly State[] = [
  ofCreator('failing', failure, 429),
  ofGroup('failing', failure, 429),
];
