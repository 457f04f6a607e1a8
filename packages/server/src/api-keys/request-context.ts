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
import { earlierWorkOf } from '../platform/http/direct/earlier-work.ts';
import type { CreatorGroup, Programs } from '../publishers/programs.ts';
import { resolveGroup } from '../publishers/resolve-group.ts';

/** The contract's responses for an unknown group. They depend on the kind of operation (docs/errors.md). */
const groupAnswers = {
  'as create': { status: 400, form: 'text' },
  'as read': { status: 400 },
  'as manage': { status: 404 },
} as const satisfies Readonly<Record<string, RefusalAnswer>>;

/** Type of a request property that exists only on routes whose config contains `Name`; `never` on other routes. */
type OnRoutesWith<ContextConfig, Name extends string, Value> = unknown extends ContextConfig
  ? Value
  : ContextConfig extends Readonly<Record<Name, unknown>>
    ? Value
    : never;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Set to resolve the request's creator group. The value selects the response for an unknown group. */
    group?: keyof typeof groupAnswers;
    /** True to allow `groupId=*`, which means all groups, for keys that aren't scoped to a group. */
    allowsAllGroups?: boolean;
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
    /** Principal of the request's key, on routes with `key`. */
    readonly principal: OnRoutesWith<ContextConfig, 'key', KeyPrincipal>;
    /** Group of the request, from its key or `groupId`, on routes with `group`. */
    readonly group: OnRoutesWith<ContextConfig, 'group', CreatorGroup>;
    /** Group of the request, or null for all groups, on routes with `allowsAllGroups`. */
    readonly groupOrAll: OnRoutesWith<ContextConfig, 'allowsAllGroups', CreatorGroup | null>;
    /** Actor for the audit log, on routes with `key` or `staff`. */
    readonly actor: OnRoutesWith<ContextConfig, 'key', Actor> | OnRoutesWith<ContextConfig, 'staff', Actor>;
    /** Staff member or operator token, as authenticated by accounts/require-staff.ts. */
    staffPrincipal: StaffPrincipal | TokenPrincipal | null;
    /** Publisher whose data a creator reads in the portal, as authorized by portal/require-portal.ts. */
    creatorTenant: string | null;
    resolvedGroup: CreatorGroup | null;
  }
}

/** Sender of a request that was performed before the framework received it. */
export interface EarlierCaller {
  readonly principal: KeyPrincipal;
  readonly group: CreatorGroup;
}

export const earlierCallerOf = ({ raw }: FastifyRequest): EarlierCaller | null =>
  (earlierWorkOf(raw)?.performed?.caller ?? null) as EarlierCaller | null;

/** Returns the publisher of a request's principal, or null for an unauthenticated client. */
export const publisherOf = ({ keyPrincipal, staffPrincipal, creatorTenant }: FastifyRequest): string | null =>
  keyPrincipal?.publisherId ?? staffPrincipal?.publisherId ?? creatorTenant;

/** Value of `groupId` that means all groups, if an operation allows it. No group can have this id. */
export const allGroups = '*';

export function provideContext(app: App, programs: Programs): void {
  app.decorateRequest('principal', {
    getter(this: FastifyRequest) {
      if (this.keyPrincipal === null) throw new Error('the route requires no key');
      return this.keyPrincipal;
    },
  });
  app.decorateRequest('staffPrincipal', null);
  app.decorateRequest('creatorTenant', null);
  app.decorateRequest('resolvedGroup', null);
  app.decorateRequest('group', {
    getter(this: FastifyRequest) {
      if (this.resolvedGroup === null) throw new Error('the route has no group');
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
  // Runs after validation, so that InvalidInput takes precedence over InvalidGroup.
  app.addHook('preHandler', (request, _reply, done) => {
    const { group, allowsAllGroups } = request.routeOptions.config ?? {};
    if (group === undefined) return done();
    const { publisherId, groupId } = request.principal;
    const { groupId: requested } = request.query as { groupId?: string };
    request.resolvedGroup = earlierCallerOf(request)?.group ?? null;
    if (request.resolvedGroup !== null) return done();
    if (allowsAllGroups === true && groupId === null && requested === allGroups) return done();
    resolveGroup(programs, publisherId, groupId, requested).then((group) => {
      request.resolvedGroup = group;
      done();
    }, done);
  });
}
