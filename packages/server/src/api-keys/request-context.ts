import type {
  ContextConfigDefault,
  FastifyBaseLogger,
  FastifyRequest,
  FastifyTypeProvider,
  FastifyTypeProviderDefault,
  RawRequestDefaultExpression,
  RawServerBase,
  RawServerDefault,
  RouteGenericInterface,
} from 'fastify';
import type { FastifyRequestType, ResolveFastifyRequestType } from 'fastify/types/type-provider.js';
import {
  type Actor,
  actorOf,
  type KeyPrincipal,
  type StaffPrincipal,
  type TokenPrincipal,
} from '../audit/actor.ts';
import type { RefusalAnswer } from '../platform/http/answers/api-error.ts';
import type { App } from '../platform/http/app-type.ts';
import type { CreatorGroup, Programs } from '../publishers/programs.ts';
import { resolveGroup } from '../publishers/resolve-group.ts';

/** How the contract answers a group that does not resolve, by the operation it names for it (docs/errors.md). */
const groupAnswers = {
  'as create': { status: 400, form: 'text' },
  'as read': { status: 400 },
  'as manage': { status: 404 },
} as const satisfies Readonly<Record<string, RefusalAnswer>>;

/** What a request has on routes whose config asks for it, and no handler of another route may read. */
type WhereAsked<ContextConfig, Name extends string, Value> = unknown extends ContextConfig
  ? Value
  : ContextConfig extends Readonly<Record<Name, unknown>>
    ? Value
    : never;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** That the operation is about one creator group, and how it answers when that does not resolve. */
    group?: keyof typeof groupAnswers;
    /** That a key of the whole publisher may ask for all groups at once, by `groupId=*`. */
    mayAskAllGroups?: boolean;
  }
  interface FastifyRequest<
    RouteGeneric extends RouteGenericInterface = RouteGenericInterface,
    RawServer extends RawServerBase = RawServerDefault,
    RawRequest extends RawRequestDefaultExpression<RawServer> = RawRequestDefaultExpression<RawServer>,
    SchemaCompiler extends FastifySchema = FastifySchema,
    TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
    ContextConfig = ContextConfigDefault,
    Logger extends FastifyBaseLogger = FastifyBaseLogger,
    RequestType extends FastifyRequestType = ResolveFastifyRequestType<
      TypeProvider,
      SchemaCompiler,
      RouteGeneric
    >,
  > {
    /** Who a request speaks for; on routes that ask for a `key`. */
    readonly principal: WhereAsked<ContextConfig, 'key', KeyPrincipal>;
    /** The group that a request is about, by its key and the `groupId` it asks for; on routes that ask for a `group`. */
    readonly group: WhereAsked<ContextConfig, 'group', CreatorGroup>;
    /** The same where all groups may be asked for; null for all. */
    readonly groupOrAll: WhereAsked<ContextConfig, 'mayAskAllGroups', CreatorGroup | null>;
    /** The principal, or who of the staff asks, as the audit log keeps them. */
    readonly actor: WhereAsked<ContextConfig, 'key', Actor> | WhereAsked<ContextConfig, 'staff', Actor>;
    /** Who of a publisher's staff asks, as accounts/require-staff.ts found. */
    staffPrincipal: StaffPrincipal | TokenPrincipal | null;
    resolvedGroup: CreatorGroup | null;
  }
}

/** The publisher that a request speaks for; null for a stranger. */
export const publisherOf = ({ keyPrincipal, staffPrincipal }: FastifyRequest): string | null =>
  keyPrincipal?.publisherId ?? staffPrincipal?.publisherId ?? null;

/** Stands for all groups where an operation takes it; no group can have this id. */
export const allGroups = '*';

/** Gives each request what its route's config asks for, so that handlers find it and fetch nothing. */
export function provideContext(app: App, programs: Programs): void {
  app.decorateRequest('principal', {
    getter(this: FastifyRequest) {
      if (this.keyPrincipal === null) throw new Error('the route asks for no key');
      return this.keyPrincipal;
    },
  });
  app.decorateRequest('staffPrincipal', null);
  app.decorateRequest('resolvedGroup', null);
  app.decorateRequest('group', {
    getter(this: FastifyRequest) {
      if (this.resolvedGroup === null) throw new Error('the route asks for no group');
      return this.resolvedGroup;
    },
  });
  app.decorateRequest('groupOrAll', {
    getter(this: FastifyRequest) {
      return this.resolvedGroup;
    },
  });
  app.decorateRequest('actor', {
    getter(this: FastifyRequest) {
      return actorOf(this.staffPrincipal ?? this.principal, { address: this.ip, requestId: this.id });
    },
  });
  app.addHook('onRoute', ({ config }) => {
    if (config?.group !== undefined)
      config.refusals = { InvalidGroup: groupAnswers[config.group], ...config.refusals };
  });
  // After validation, as late as the handler itself would ask.
  app.addHook('preHandler', (request, _reply, done) => {
    const { group, mayAskAllGroups } = request.routeOptions.config ?? {};
    if (group === undefined) return done();
    const { publisherId, groupId } = request.principal;
    const { groupId: asked } = request.query as { groupId?: string };
    if (mayAskAllGroups === true && groupId === null && asked === allGroups) return done();
    resolveGroup(programs, publisherId, groupId, asked).then((group) => {
      request.resolvedGroup = group;
      done();
    }, done);
  });
}
