import { Type } from 'typebox';
import { acceptAs, acceptAsNew, checkNewPerson } from '../../accounts/people/accept-invitation.ts';
import { findInvitation } from '../../accounts/people/find-invitation.ts';
import { hashNewPassword } from '../../accounts/people/set-password.ts';
import { type Caller, callLibrary, type LibraryResponse } from '../../accounts/sign-in/call-library.ts';
import type { SignIn } from '../../accounts/sign-in/create-sign-in.ts';
import type { App } from '../../platform/http/app-type.ts';
import { text } from '../../platform/http/schemas/schemas.ts';
import { closed } from '../../platform/inputs.ts';
import { Refusal } from '../../platform/refusal.ts';
import { publisherNames } from '../../publishers/publisher-names.ts';
import { adminOperations } from '../admin-operations.ts';
import { time } from '../schemas.ts';
import { callerOf, sourceOf } from './answer-browser.ts';
import { startSession } from './start-session.ts';

const token = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'Part of the link after the #.',
});
const joined = Type.Object(
  {
    publisherId: Type.String(),
    isSignedIn: Type.Boolean({ description: 'False if the person joined but has to sign in separately.' }),
  },
  { title: 'JoinedByInvitation' },
);
const accepted = Type.Object({ publisherId: Type.String() }, { title: 'AcceptedInvitation' });

/**
 * Registers the routes that show and accept an invitation. An invitation can be shown any number of times
 * before it is accepted.
 */
export function invitationRoutes(app: App, signIn: SignIn): void {
  const { operation } = adminOperations(app, 'Sign-in');
  const { db, clock, limits } = signIn;
  /** Signs in a person who has just joined. Returns null if signing in fails; the person has joined anyway. */
  const signInNewPerson = async (
    caller: Caller,
    email: string,
    password: string,
  ): Promise<LibraryResponse | null> => {
    try {
      const attempt = { method: 'POST', path: '/sign-in/email', body: { email, password } } as const;
      return await callLibrary(await signIn.auth(caller.origin), caller, attempt);
    } catch (error) {
      signIn.log.warn({ err: error }, 'a person joined but could not be signed in');
      return null;
    }
  };
  operation(
    ['post', '/auth/invitation', 'getInvitation'],
    {
      may: 'public',
      summary: 'Get an invitation',
      body: Type.Object({ token }, closed),
      answer: Type.Object(
        {
          publisherId: Type.String(),
          publisherName: Type.String(),
          email: Type.String(),
          role: Type.String(),
          invitedBy: Type.String(),
          expiresAt: time('Expiration time.'),
          hasWayIn: Type.Boolean({
            description:
              'True if the person has an account and must sign in first. A new person chooses a password.',
          }),
        },
        { title: 'Invitation' },
      ),
    },
    async (request) => {
      limits.countAddress(request.ip);
      const {
        invitationId: _,
        userId: __,
        isMailed: ___,
        ...rest
      } = await findInvitation(db, request.body.token, clock.now());
      const names = await publisherNames(db, [rest.publisherId]);
      return { ...rest, publisherName: names.get(rest.publisherId) ?? rest.publisherId };
    },
  );

  operation(
    ['post', '/auth/invitation/accept-as-new', 'acceptInvitationAsNew'],
    {
      may: 'public',
      summary: 'Accept an invitation with a new password, and sign in',
      description:
        'If the invitation is accepted but signing in fails, `isSignedIn` is false, and the person signs in with the new password.',
      body: Type.Object({ token, name: text(255), password: text(1_000) }, closed),
      answer: joined,
    },
    async (request, reply) => {
      const caller = callerOf(signIn, request);
      limits.countAddress(caller.address);
      const { name, password } = request.body;
      const acceptance = { token: request.body.token, now: clock.now(), source: sourceOf(request) };
      await checkNewPerson(db, acceptance, { name, password });
      await signIn.auth(caller.origin); // loads the library before the hashing turn
      // Both hashes share one turn, so that a person who has joined is not rejected at the second hash.
      const { publisherId, answer } = await limits.hashing(async () => {
        const person = { name, password: await hashNewPassword(password) };
        const { publisherId: joinedId, email } = await acceptAsNew(db, acceptance, person);
        return { publisherId: joinedId, answer: await signInNewPerson(caller, email, password) };
      });
      if (answer !== null) await startSession(signIn, request, reply, answer);
      return { publisherId, isSignedIn: answer !== null };
    },
  );

  operation(
    ['post', '/auth/invitation/accept', 'acceptInvitation'],
    {
      may: 'signed-in',
      summary: 'Accept an invitation as the signed-in person',
      body: Type.Object({ token }, closed),
      answer: accepted,
    },
    async (request) => {
      const { adminCaller } = request;
      if (adminCaller?.kind !== 'staff')
        throw new Refusal('Forbidden', 'Only a person can accept an invitation. Sign in first.');
      const acceptance = { token: request.body.token, now: clock.now(), source: sourceOf(request) };
      const { publisherId } = await acceptAs(db, acceptance, adminCaller);
      return { publisherId };
    },
  );
}
