import type { FastifyRequest } from 'fastify';
import type { StaffPrincipal, TokenPrincipal } from '../audit/actor.ts';
import type { App } from '../platform/http/app-type.ts';
import { holdsNul } from '../platform/http/holds-nul.ts';
import { Refusal } from '../platform/refusal.ts';
import { type Permission, permissions, permissionsInSandbox, permissionsOf, type Role } from './roles.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * What an operation of the admin API asks of whoever calls it: a permission with the publisher in the path, that
     * somebody is signed in, or nothing, as signing in itself.
     */
    staff?: Permission | 'signed-in' | 'anybody';
    /** Asks a person for a sign-in of the last five minutes. A token was made on purpose, and is asked for nothing more. */
    fresh?: boolean;
    /** For people alone: what makes money leave, and who may do what. A program with a token is refused. */
    people?: boolean;
  }
  interface FastifyRequest {
    /** Who is signed in, whatever publisher they ask about; on routes that ask for `staff`. */
    visitor: Visitor | null;
  }
}

/** A person who is signed in. */
export interface SignedIn {
  readonly kind: 'staff';
  readonly userId: string;
  readonly sessionId: string;
  readonly name: string;
  readonly email: string;
  /** When they last showed a password, a passkey or a code. */
  readonly signedInAt: Date;
  /** Whether they showed two things: a password and a code, or a passkey. */
  readonly hasSecondFactor: boolean;
}

/** A program with an operator token, of one publisher. */
export interface TokenHolder {
  readonly kind: 'token';
  readonly tokenId: string;
  readonly name: string;
  readonly publisherId: string;
  readonly role: Role;
}

export type Visitor = SignedIn | TokenHolder;

/** What somebody is at a publisher, or, by their role at the live one, in its open sandbox. */
export interface RoleOfPerson {
  role: Role;
  lacks: 'two-factor' | null;
  isSandbox: boolean;
}

/** What finds out who asks (composition.ts). */
export interface StaffVerifier {
  /** @returns null for nobody: no session and no token, or one that has ended */
  visitorOf(request: FastifyRequest): Promise<Visitor | null>;
  /** @returns the person's role, and why it cannot be used yet; null where they are not of the publisher's staff */
  roleOf(visitor: SignedIn, publisherId: string): Promise<RoleOfPerson | null>;
  /** @throws Refusal Forbidden for a changing request that a page of somebody else may have sent */
  refuseForeign(request: FastifyRequest): void;
}

/** Who asks, as an operation of the admin API finds them. */
export type Staff = (StaffPrincipal | TokenPrincipal) & { readonly role: Role; readonly isSandbox: boolean };

/** Below which everything asks who calls. */
const adminPath = '/admin/v1';

const freshMs = 5 * 60_000;
const staffOfRequest = new WeakMap<FastifyRequest, Staff>();

/** Whom a route's handler answers; on routes that ask for a permission. */
export function staffOf(request: FastifyRequest): Staff {
  const staff = staffOfRequest.get(request);
  if (staff === undefined) throw new Error('the route asks for no permission');
  return staff;
}

export const may = ({ role, isSandbox }: Staff, permission: Permission): boolean =>
  (isSandbox ? permissionsInSandbox : permissionsOf)[role].has(permission);

interface RequireStaffDeps {
  verifier: StaffVerifier;
  now(): Date;
}

/** Asks who calls before the body is read, on every route whose config names `staff`. */
export function requireStaff(app: App, { verifier, now }: RequireStaffDeps): void {
  app.decorateRequest('visitor', null);
  // One that forgot to say it would be open to everybody.
  app.addHook('onRoute', ({ method, url, config }) => {
    if (url.startsWith(`${adminPath}/`) && config?.staff === undefined && method !== 'HEAD')
      throw new Error(`${String(method)} ${url} does not say what it asks of whoever calls it`);
  });
  app.addHook('onRequest', async (request) => {
    const { staff: asked, fresh, people } = request.routeOptions.config ?? {};
    if (asked === undefined) return;
    verifier.refuseForeign(request);
    if (holdsNul(request.params)) throw new Refusal('NotFound', 'There is no such thing.');
    if (holdsNul(request.query)) throw unstorable('query');
    if (asked === 'anybody') return;
    const visitor = await verifier.visitorOf(request);
    if (visitor === null) throw new Refusal('Unauthorized', 'Sign in first.');
    request.visitor = visitor;
    if (asked !== 'signed-in') {
      const { publisherId } = request.params as { publisherId: string };
      const staff = await staffAt(verifier, visitor, publisherId);
      if (!may(staff, asked))
        throw new Refusal(
          'Forbidden',
          `The role ${staff.role} may not do this (${permissions[asked]}); ` +
            (staff.isSandbox && asked === 'team'
              ? 'a sandbox has the team of its live publisher, and is changed there.'
              : 'an owner gives roles on the Team screen.'),
        );
      request.staffPrincipal = staff;
      staffOfRequest.set(request, staff);
    }
    if (people === true) refuseProgram(visitor);
    if (fresh === true) refuseStale(visitor, now());
  });
  // No promise: recording comes by here, too.
  app.addHook('preValidation', ({ body, routeOptions }, _reply, done) =>
    done(routeOptions.config?.staff !== undefined && holdsNul(body) ? unstorable('body') : undefined),
  );
}

/** No text that is kept may have it, and nothing that is looked for has. */
const unstorable = (where: 'query' | 'body'): Refusal =>
  new Refusal('InvalidInput', `The ${where} holds the character U+0000, which no text here may have.`);

async function staffAt(verifier: StaffVerifier, visitor: Visitor, publisherId: string): Promise<Staff> {
  if (visitor.kind === 'token') {
    if (visitor.publisherId !== publisherId) throw notTheirs();
    return { ...visitor, isSandbox: false };
  }
  const found = await verifier.roleOf(visitor, publisherId);
  if (found === null) throw notTheirs();
  if (found.lacks === 'two-factor')
    throw new Refusal(
      'Forbidden',
      'This publisher asks for a second factor: set one up under your name, or show its code.',
    );
  const { userId, name } = visitor;
  return { kind: 'staff', staffId: userId, name, publisherId, role: found.role, isSandbox: found.isSandbox };
}

const notTheirs = (): Refusal =>
  new Refusal('NotFound', 'There is no such publisher, or you are not of its staff.');

function refuseProgram({ kind }: Visitor): void {
  if (kind === 'token')
    throw new Refusal('Forbidden', 'A program may not do this, whatever its role: a person signs in for it.');
}

function refuseStale(visitor: Visitor, now: Date): void {
  const isFresh = visitor.kind === 'token' || now.getTime() - visitor.signedInAt.getTime() <= freshMs;
  if (!isFresh)
    throw new Refusal(
      'SignInAgain',
      'This asks for a sign-in of the last five minutes: show your password, passkey or code again.',
    );
}
