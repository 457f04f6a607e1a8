import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { KeyPrincipal } from '../audit/actor.ts';
import { playerId } from '../members/player-id.ts';
import { getMemberByCode, getMemberByPlayer } from '../members/read/get-member.ts';
import { codeObject, type MemberRecord } from '../members/read/member-record.ts';
import type { App } from '../platform/http/app-type.ts';
import { operation, registerOperation } from '../platform/http/operation.ts';
import {
  commonErrors,
  errorBody,
  groupId,
  pageNumber,
  pagingFields,
} from '../platform/http/schemas/schemas.ts';
import { toAccountId } from '../platform/ids.ts';
import { Refusal } from '../platform/refusal.ts';
import { type CreatorGroup, namesOf, requireProgram } from '../publishers/programs.ts';
import { nowAt } from '../publishers/publisher-time.ts';
import { findCreatorCode } from './player-code.ts';
import type { PlayerCodeDeps } from './routes.ts';
import { listSupporters } from './supporters.ts';

const tags = ['Referrals'];

const referral = Type.Object(
  {
    id: Type.String({ description: 'Id of the referral, which doesn’t reveal the player.' }),
    code: Type.String({ description: 'Code that credits the creator now.' }),
    playerId: Type.Optional(
      Type.String({ description: 'Player who supports the creator. Only for secret keys.' }),
    ),
    referralDate: Type.String({
      format: 'date-time',
      description: 'Time at which the player entered the code.',
    }),
  },
  { title: 'Referral', description: 'Player whose code is in force.' },
);

const page = {
  ...pagingFields,
  totalCount: Type.Integer({ description: 'Number of players who support the creator.' }),
  playerId: Type.Optional(Type.String({ description: "The publisher's own id for the creator." })),
  referrals: Type.Array(referral),
};
const referralPage = Type.Object(
  {
    ...page,
    memberId: Type.String({ description: "The creator's account id." }),
    codes: Type.Array(codeObject),
  },
  { title: 'ReferralPage', description: 'Page of the players who support a creator.' },
);
const codeReferralPage = Type.Object(
  { ...page, referralCodes: Type.Array(codeObject) },
  { title: 'CodeReferralPage', description: 'Page of the players who support a code’s creator.' },
);

const query = {
  groupId,
  page: pageNumber,
  pageSize: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100, default: 100, description: 'Number of entries per page.' }),
  ),
  excludeReferralList: Type.Optional(
    Type.Boolean({
      default: false,
      description: 'If `true`, `referrals` is empty, and `totalCount` is the only figure.',
    }),
  ),
};

interface PageQuery {
  page?: number;
  pageSize?: number;
  excludeReferralList?: boolean;
}

/** Registers the referral reads that released game SDKs make. */
export function referralRoutes(app: App, { db, clock, programs, misses }: PlayerCodeDeps): void {
  const readPage = async (
    { publisherId, keyKind }: KeyPrincipal,
    group: CreatorGroup,
    member: MemberRecord,
    { page = 1, pageSize = 100, excludeReferralList = false }: PageQuery,
  ) => {
    const supported = { publisherId, groupId: group.groupId, memberId: toAccountId(member.id) };
    const { supporters, totalCount } = await listSupporters(db, supported, {
      at: await nowAt(db, clock, publisherId),
      offset: (page - 1) * pageSize,
      limit: excludeReferralList ? 0 : pageSize,
    });
    const code = supporters.length === 0 ? null : await findCreatorCode(db, supported);
    return {
      ...namesOf(group),
      ...(member.playerId !== undefined && { playerId: member.playerId }),
      currentPage: page,
      currentPageSize: pageSize,
      totalCount,
      referrals: supporters.map(({ id, playerId, attachedAt }) => ({
        id,
        code: code ?? '',
        // Whom a player supports is the player's own business, and every player has the public key.
        ...(keyKind === 'secret' && { playerId }),
        referralDate: attachedAt.toISOString(),
      })),
    };
  };

  operation(
    app,
    ['get', '/v1/referrals/player/:playerId', 'getPlayerReferrals'],
    {
      config: { key: 'public', group: 'as read', defaultPageSize: 100 },
      summary: 'List the supporters of a player',
      description:
        'The players whose code in force is one of the creator’s with this playerId. Only secret keys see who they are. Codes that last longest come first.',
      tags,
      path: { playerId },
      query,
      answer: referralPage,
      errors: {
        400: errorBody(
          'InvalidGroup, InvalidInput, or PlayerNotInGroup: no approved member has this playerId.',
        ),
        ...commonErrors,
      },
    },
    async (request) => {
      const { group, principal } = request;
      const lookUp = () => getMemberByPlayer(db, principal.publisherId, group, request.params.playerId);
      const member = await misses.limitPublic(request, lookUp);
      const read = await readPage(principal, group, member, request.query);
      return { ...read, memberId: member.id, codes: member.codes };
    },
  );

  operation(
    app,
    ['get', '/v1/referrals/code/:code', 'getCodeReferrals'],
    {
      config: {
        key: 'public',
        group: 'as read',
        defaultPageSize: 100,
        sentCode: ({ params }) => (params as { code: string }).code,
      },
      summary: 'List the supporters of a code’s creator',
      description:
        'The players whose code in force is one of the creator’s who has this code. Only secret keys see who they are.',
      tags,
      path: { code: Type.String({ description: 'A code, in any case.' }) },
      query,
      answer: codeReferralPage,
      errors: {
        400: errorBody(
          'InvalidGroup, InvalidInput, or ReferralAccountNotFound: the code credits no one in the group.',
        ),
        ...commonErrors,
      },
    },
    async (request) => {
      const program = await requireProgram(programs, request.principal.publisherId);
      // Records are cached per program, so the group must come from the same program.
      const group = program.groups.get(request.group.groupId) ?? request.group;
      const lookUp = () => getMemberByCode(db, program, group, request.params.code).catch(asReferral);
      const member = await misses.limit(request, lookUp);
      const read = await readPage(request.principal, group, member, request.query);
      return { ...read, referralCodes: member.codes };
    },
  );

  registerOperation(app, ['get', '/v1/referrals/player/:playerId/code', 'getReferralCode'], {
    config: {
      key: 'public',
      group: 'as read',
      refusals: { ReferralAccountNotFound: { status: 404 } },
    },
    path: { playerId },
    schema: {
      summary: 'Get a player’s own code',
      description: 'The code that credits the creator with this playerId, as plain text.',
      tags,
      querystring: Type.Object({ groupId }),
      response: {
        200: {
          description: 'The code.',
          content: { 'text/plain': { schema: Type.String() } },
        },
        400: errorBody('InvalidGroup or InvalidInput.'),
        404: errorBody(
          'ReferralAccountNotFound: no approved member with an approved code has this playerId.',
        ),
        ...commonErrors,
      },
    },
    handler: async (request, reply) => {
      const { group, principal } = request as FastifyRequest & { group: CreatorGroup };
      const { publisherId } = principal;
      const { playerId } = request.params as { playerId: string };
      const code = await misses.limitPublic(request, async () => {
        const member = await getMemberByPlayer(db, publisherId, group, playerId).catch(asReferral);
        const supported = { publisherId, groupId: group.groupId, memberId: toAccountId(member.id) };
        return (await findCreatorCode(db, supported)) ?? Promise.reject(noReferralAccount());
      });
      return reply.type('text/plain; charset=utf-8').send(code);
    },
  });
}

/** Converts the refusal of a lookup to the one of referral reads. */
function asReferral(error: unknown): never {
  if (error instanceof Refusal && ['CodeNotInGroup', 'PlayerNotInGroup'].includes(error.code))
    throw noReferralAccount();
  throw error;
}

const noReferralAccount = (): Refusal =>
  new Refusal('ReferralAccountNotFound', 'No creator of the group has this code or playerId.');
