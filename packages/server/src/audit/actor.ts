import type { AccountId, KeyId } from '../platform/database/tables.generated.ts';

/** API key, acting for its publisher. */
export interface KeyPrincipal {
  readonly kind: 'key';
  readonly keyId: KeyId;
  readonly name: string;
  readonly keyKind: 'secret' | 'public';
  readonly publisherId: string;
  /** Group that the key is scoped to; null for a key that covers the whole publisher. */
  readonly groupId: string | null;
  /** True if unknown properties and parameters are rejected instead of ignored. */
  readonly isStrict: boolean;
}

export interface StaffPrincipal {
  readonly kind: 'staff';
  readonly staffId: string;
  readonly name: string;
  readonly publisherId: string;
}

/** Operator token, acting for its publisher. */
export interface TokenPrincipal {
  readonly kind: 'token';
  readonly tokenId: string;
  readonly name: string;
  readonly publisherId: string;
}

/** Creator signed in to their own account. */
export interface CreatorPrincipal {
  readonly kind: 'creator';
  readonly accountId: AccountId;
  readonly name: string;
}

/** Operating system user running a command. */
export interface CommandPrincipal {
  readonly kind: 'command';
  readonly user: string;
}

/** Program file, applied by an operating system user. */
export interface ProgramFilePrincipal {
  readonly kind: 'program-file';
  readonly file: string;
  readonly user: string;
}

export type Principal =
  | KeyPrincipal
  | StaffPrincipal
  | TokenPrincipal
  | CreatorPrincipal
  | CommandPrincipal
  | ProgramFilePrincipal;

/** Source of a change. Each entry point sets the fields that it has. */
export interface RequestSource {
  readonly address?: string;
  readonly requestId?: string;
  /** Command without its arguments, such as `payouts create`. */
  readonly command?: string;
}

/** Kinds of actors in the audit log. `service` stands for background work. */
export const actorKinds = ['key', 'staff', 'token', 'creator', 'command', 'program-file', 'service'] as const;

/**
 * Author of a change, with the author's name at that time. Renaming the author later doesn't affect audit
 * entries.
 */
export interface Actor extends RequestSource {
  readonly kind: (typeof actorKinds)[number];
  readonly id: string;
  readonly name: string;
}

export function actorOf(principal: Principal, source: RequestSource): Actor {
  switch (principal.kind) {
    case 'key':
      return { kind: 'key', id: principal.keyId, name: principal.name, ...source };
    case 'staff':
      return { kind: 'staff', id: principal.staffId, name: principal.name, ...source };
    case 'token':
      return { kind: 'token', id: principal.tokenId, name: principal.name, ...source };
    case 'creator':
      return { kind: 'creator', id: principal.accountId, name: principal.name, ...source };
    case 'command':
      return { kind: 'command', id: principal.user, name: principal.user, ...source };
    case 'program-file':
      return { kind: 'program-file', id: principal.file, name: principal.user, ...source };
  }
}

export const serviceActor: Actor = { kind: 'service', id: 'service', name: 'System' };
