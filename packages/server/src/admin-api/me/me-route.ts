import { Type } from 'typebox';
import { listPublishersOf } from '../../accounts/people/list-publishers-of.ts';
import { signInMethodsOf } from '../../accounts/people/sign-in-methods-of.ts';
import type { AdminCaller } from '../../accounts/require-staff.ts';
import { permissionsInSandbox, permissionsOf } from '../../accounts/roles.ts';
import type { Db } from '../../platform/database/database.ts';
import type { App } from '../../platform/http/app-type.ts';
import { publisherNames } from '../../publishers/publisher-names.ts';
import { openSandboxesOf } from '../../publishers/sandboxes.ts';
import { adminOperations } from '../admin-operations.ts';
import { nullable, time } from '../schemas.ts';

const me = Type.Object(
  {
    kind: Type.String({ enum: ['staff', 'token'] }),
    id: Type.String(),
    name: Type.String(),
    email: nullable(Type.String()),
    signedInAt: nullable(time('When the person last used a password, passkey or code.')),
    hasSecondFactor: Type.Boolean({
      description: 'True if this sign-in used a passkey, or a code after the password.',
    }),
    ways: Type.Object(
      {
        password: Type.Boolean(),
        passkeys: Type.Integer(),
        providers: Type.Array(Type.String()),
        codes: Type.Boolean({ description: 'True if an authenticator app is set up as the second factor.' }),
      },
      { title: 'WaysInOfPerson' },
    ),
    publishers: Type.Array(
      Type.Object(
        {
          publisherId: Type.String(),
          name: Type.String(),
          role: Type.String(),
          permissions: Type.Array(Type.String()),
          lacks: nullable(
            Type.String({
              enum: ['two-factor'],
              description: 'Requirement of the publisher that this sign-in does not meet.',
            }),
          ),
          sandboxOf: nullable(
            Type.String({ description: 'For a sandbox, the live publisher that it was copied from.' }),
          ),
          rehearses: Type.Boolean({
            description:
              'True in a sandbox if the person may pay creators and has not hidden the payout rehearsal guide.',
          }),
          clockAheadMs: Type.Integer({
            description: 'Milliseconds that the sandbox clock is ahead; 0 for a live publisher.',
          }),
        },
        { title: 'PublisherOfPerson' },
      ),
    ),
  },
  { title: 'Me' },
);

export function meRoute(app: App, db: Db): void {
  const { operation } = adminOperations(app, 'Sign-in');
  operation(
    ['get', '/me', 'getMe'],
    { may: 'signed-in', summary: 'Get the signed-in person or operator token', answer: me },
    async ({ adminCaller }) => {
      if (adminCaller === null) throw new Error('the route requires a sign-in, but has no caller');
      return adminCaller.kind === 'token'
        ? await describeToken(db, adminCaller)
        : await describePerson(db, adminCaller);
    },
  );
}

async function describePerson(db: Db, caller: AdminCaller & { kind: 'staff' }) {
  const publishers = await listPublishersOf(db, caller.userId);
  const sandboxes = await openSandboxesOf(
    db,
    publishers.map(({ publisherId }) => publisherId),
  );
  return {
    kind: 'staff',
    id: caller.userId,
    name: caller.name,
    email: caller.email,
    signedInAt: caller.signedInAt,
    hasSecondFactor: caller.hasSecondFactor,
    ways: await signInMethodsOf(db, caller.userId),
    publishers: publishers.flatMap(({ publisherId, name, role, demandsTwoFactor, hidesRehearsal }) => {
      const lacks = demandsTwoFactor && !caller.hasSecondFactor ? 'two-factor' : null;
      const live = { publisherId, name, role, permissions: [...permissionsOf[role]], lacks, ...liveClock };
      const sandbox = sandboxes.get(publisherId);
      if (sandbox === undefined) return [live];
      return [
        live,
        {
          publisherId: sandbox.publisherId,
          name: sandbox.name,
          role,
          permissions: [...permissionsInSandbox[role]],
          lacks,
          sandboxOf: publisherId,
          rehearses: permissionsInSandbox[role].has('payouts') && !hidesRehearsal,
          clockAheadMs: sandbox.aheadMs,
        },
      ];
    }),
  };
}

const liveClock = { sandboxOf: null, clockAheadMs: 0, rehearses: false };

async function describeToken(db: Db, { tokenId, name, publisherId, role }: AdminCaller & { kind: 'token' }) {
  const names = await publisherNames(db, [publisherId]);
  return {
    kind: 'token',
    id: tokenId,
    name,
    email: null,
    signedInAt: null,
    hasSecondFactor: false,
    ways: { password: false, passkeys: 0, providers: [], codes: false },
    publishers: [
      {
        publisherId,
        name: names.get(publisherId) ?? publisherId,
        role,
        permissions: [...permissionsOf[role]],
        lacks: null,
        ...liveClock,
      },
    ],
  };
}
