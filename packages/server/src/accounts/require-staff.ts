import type { FastifyRequest } from 'fastify';
import type { StaffPrincipal, TokenPrincipal } from '../audit/actor.ts';
import type { App } from '../platform/http/app-type.ts';
import { holdsNul } from '../platform/http/holds-nul.ts';
import { Refusal } from '../platform/refusal.ts';
import { type Permission, permissions, permissionsInSandbox, permissionsOf, type Role } from './roles.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * Access that an admin API operation requires: a permission at the publisher in the path, a signed-in
     * caller, or nothing (`public`, for operations such as signing in).
     */
    staff?: Permission | 'signed-in' | 'public';
    /** True to require a sign-in within the last five minutes. Operator tokens are exempt. */
    fresh?: boolean;
    /** True to reject operator tokens. For operations that pay out money or change permissions. */
    people?: boolean;
    /**
     * True for a public operation that other sites and mail services may call. Its link is the only
     * credential.
     */
    fromAnySite?: boolean;
  }
  interface FastifyRequest {
    /** Authenticated caller, independent of any publisher; null on routes whose `staff` is absent or `public`. */
    adminCaller: AdminCaller | null;
  }
}

export interface SignedInPerson {
  readonly kind: 'staff';
  readonly userId: string;
  readonly sessionId: string;
  readonly name: string;
  readonly email: string;
  /** Time at which a password, passkey or code was last verified. */
  readonly signedInAt: Date;
  /** True after a sign-in with a password and a code, or with a passkey. */
  readonly hasSecondFactor: boolean;
}

/** Client with an operator token. An operator token belongs to one publisher. */
export interface TokenCaller {
  readonly kind: 'token';
  readonly tokenId: string;
  readonly name: string;
  readonly publisherId: string;
  readonly role: Role;
}

export type AdminCaller = SignedInPerson | TokenCaller;

/** Person's role at a publisher. In a sandbox, this is the role at the live publisher. */
export interface PersonRole {
  role: Role;
  lacks: 'two-factor' | null;
  isSandbox: boolean;
}

/** Authenticates admin API requests. Passed in by composition.ts. */
export interface StaffVerifier {
  /** @returns null if there is no valid session or token */
  authenticate(request: FastifyRequest): Promise<AdminCaller | null>;
  /**
   * @returns the person's role and the requirements they don't meet yet; null if they aren't on the
   * publisher's staff
   */
  roleOf(person: SignedInPerson, publisherId: string): Promise<PersonRole | null>;
  /** @throws Refusal Forbidden for a change that another site may have sent */
  refuseCrossSite(request: FastifyRequest): void;
}

/** Caller of an admin operation, with the caller's role at the publisher in the path. */
export type Staff = (StaffPrincipal | TokenPrincipal) & { readonly role: Role; readonly isSandbox: boolean };

/** Path prefix of the admin API; every route under it must set `staff`. */
const adminPath = '/admin/v1';

const freshMs = 5 * 60_000;
const staffOfRequest = new WeakMap<FastifyRequest, Staff>();

export function staffOf(request: FastifyRequest): Staff {
  const staff = staffOfRequest.get(request);
  if (staff === undefined) throw new Error("the route doesn't require a permission");
  return staff;
}

export const may = ({ role, isSandbox }: Staff, permission: Permission): boolean =>
  (isSandbox ? permissionsInSandbox : permissionsOf)[role].has(permission);

interface RequireStaffDeps {
  verifier: StaffVerifier;
  now(): Date;
}

/** Authenticates and authorizes requests before the body is read, on every route whose config sets `staff`. */
export function requireStaff(app: App, { verifier, now }: RequireStaffDeps): void {
  app.decorateRequest('adminCaller', null);
  // A route without `staff` would be public.
  app.addHook('onRoute', ({ method, url, config }) => {
    if (url.startsWith(`${adminPath}/`) && config?.staff === undefined && method !== 'HEAD')
      throw new Error(`${String(method)} ${url} must set config.staff`);
  });
  app.addHook('onRequest', async (request) => {
    const { staff: required, fresh, people, fromAnySite } = request.routeOptions.config ?? {};
    if (required === undefined) return;
    if (fromAnySite !== true) verifier.refuseCrossSite(request);
    if (holdsNul(request.params))
      throw new Refusal('NotFound', 'The path contains an id that does not exist.');
    if (holdsNul(request.query)) throw unstorable('query');
    if (required === 'public') return;
    const caller = await verifier.authenticate(request);
    if (caller === null) throw new Refusal('Unauthorized', 'Sign in first.');
    request.adminCaller = caller;
    if (required !== 'signed-in') {
      const { publisherId } = request.params as { publisherId: string };
      const staff = await staffAt(verifier, caller, publisherId);
      if (!may(staff, required))
        throw new Refusal(
          'Forbidden',
          `The ${staff.role} role doesn't have this permission (${permissions[required]}). ` +
            (staff.isSandbox && required === 'team'
              ? 'A sandbox uses the team of its live publisher. Change the team there.'
              : 'An owner can change roles on the Team screen.'),
        );
      request.staffPrincipal = staff;
      staffOfRequest.set(request, staff);
    }
    if (people === true) refuseToken(caller);
    if (fresh === true) refuseOldSignIn(caller, now());
  });
  // Not async, because requests that record purchases also pass through this hook.
  app.addHook('preValidation', ({ body, routeOptions }, _reply, done) =>
    done(routeOptions.config?.staff !== undefined && holdsNul(body) ? unstorable('body') : undefined),
  );
}

const unstorable = (where: 'query' | 'body'): Refusal =>
  new Refusal('InvalidInput', `The ${where} contains the character U+0000. Remove it.`);

async function staffAt(verifier: StaffVerifier, caller: AdminCaller, publisherId: string): Promise<Staff> {
  if (caller.kind === 'token') {
    if (caller.publisherId !== publisherId) throw notOnStaff();
    return { ...caller, isSandbox: false };
  }
  const found = await verifier.roleOf(caller, publisherId);
  if (found === null) throw notOnStaff();
  if (found.lacks === 'two-factor')
    throw new Refusal(
      'Forbidden',
      'This publisher requires a second factor. Set up a second factor under your name, or enter your code.',
    );
  const { userId, name } = caller;
  return { kind: 'staff', staffId: userId, name, publisherId, role: found.role, isSandbox: found.isSandbox };
}

const notOnStaff = (): Refusal =>
  new Refusal('NotFound', "The publisher doesn't exist, or you aren't on its team.");

function refuseToken({ kind }: AdminCaller): void {
  if (kind === 'token')
    throw new Refusal(
      'Forbidden',
      "An operator token can't do this, regardless of its role. Sign in as a person.",
    );
}

function refuseOldSignIn(caller: AdminCaller, now: Date): void {
  const isFresh = caller.kind === 'token' || now.getTime() - caller.signedInAt.getTime() <= freshMs;
  if (!isFresh)
    throw new Refusal(
      'SignInAgain',
      'This requires a sign-in within the last five minutes. Enter your password, passkey or code again.',
    );
}
