import { expect, test } from 'vitest';
import { Browser } from '../../../test/browser.ts';
import { useManagement } from '../../../test/management.ts';
import { testActor } from '../../../test/test-actor.ts';
import { connect } from '../../../test/test-database.ts';
import { codeOf } from '../../../test/totp.ts';
import { invite } from '../../accounts/people/invite.ts';

const { service } = useManagement();
const password = 'correct horse battery';

/** Creates a person who accepted an invitation and chose a password. */
async function newPerson(email: string): Promise<Browser> {
  const { db } = service().testDatabase.database;
  const invitation = { publisherId: 'aurora', email, role: 'viewer' } as const;
  const { token } = await invite(db, testActor, invitation, new Date());
  const browser = new Browser(service());
  await browser.post('/auth/invitation/accept-as-new', { token, name: 'Ines', password });
  return browser;
}

/** Runs work while the database silently discards new sessions. The library then has no session to return. */
async function whileSessionsAreDiscarded(work: () => Promise<void>): Promise<void> {
  const owner = await connect(service().testDatabase.ownerConnection);
  await owner.query(
    "create function discard() returns trigger language plpgsql as 'begin return null; end'; " +
      'create trigger discard before insert on staff_session for each row execute function discard()',
  );
  try {
    await work();
  } finally {
    await owner.query('drop trigger discard on staff_session; drop function discard()');
  }
}

const unavailable = {
  status: 503,
  body: { code: 'Unavailable', message: expect.stringContaining('temporary problem') },
};

test('a failure that the library reports as a wrong sign-in is answered with 503', async () => {
  const email = 'failing@example.com';
  await newPerson(email);
  const browser = new Browser(service());
  const signIn = () => browser.post('/auth/sign-in/password', { email, password });
  await whileSessionsAreDiscarded(async () => {
    const answer = await signIn();
    expect(answer).toMatchObject(unavailable);
    expect(answer.headers.get('retry-after')).toBe('3');
  });
  expect(await signIn()).toMatchObject({ status: 200 });
});

test('a failure to finish signing in with a code is answered with 503, and does not use up the code', async () => {
  const email = 'failing-code@example.com';
  const person = await newPerson(email);
  const { body } = await person.post('/me/two-factor', { password });
  await person.post('/me/two-factor/finish', { code: codeOf(body.uri) });
  const browser = new Browser(service());
  await browser.post('/auth/sign-in/password', { email, password });
  const enterCode = () => browser.post('/auth/sign-in/code', { code: body.spareCodes[0] });
  await whileSessionsAreDiscarded(async () => {
    expect(await enterCode()).toMatchObject(unavailable);
  });
  expect(await enterCode()).toMatchObject({ status: 200 });
});
