import type { AccountId, KeyId } from '../platform/database/tables.generated.ts';
/** An API key, as it speaks for its publisher. */
export interface KeyPrincipal {
  readonly kind: 'key';
  readonly keyId: KeyId;
  readonly name: string;
  readonly keyKind: 'secret' | 'public';
  readonly publisherId: string;
  /** The group that the key is scoped to; null for a key of the whole publisher. */
  readonly groupId: string | null;
  /** Refuses names that an operation does not know, instead of ignoring them. */
  readonly isStrict: boolean;
}

/** A person of the publisher's staff. */
export interface StaffPrincipal {
  readonly kind: 'staff';
  readonly staffId: string;
  readonly name: string;
  readonly publisherId: string;
}

/** A program that speaks for a publisher by an operator token. */
export interface TokenPrincipal {
  readonly kind: 'token';
  readonly tokenId: string;
  readonly name: string;
  readonly publisherId: string;
}

/** A creator, signed in to an account of their own. */
export interface CreatorPrincipal {
  readonly kind: 'creator';
  readonly accountId: AccountId;
  readonly name: string;
}

/** Whoever types a command: the user of the machine. */
export interface CommandPrincipal {
  readonly kind: 'command';
  readonly user: string;
}

/** A program file, applied by a user of the machine. */
export interface ProgramFilePrincipal {
  readonly kind: 'program-file';
  readonly file: string;
  readonly user: string;
}

/** Who asks for something, by the door they came in. */
export type Principal =
  | KeyPrincipal
  | StaffPrincipal
  | TokenPrincipal
  | CreatorPrincipal
  | CommandPrincipal
  | ProgramFilePrincipal;

/** Where somebody acts from; each door knows some of it. */
export interface Whence {
  /** The client's address. */
  readonly address?: string;
  readonly requestId?: string;
  /** The command's words, without its arguments: `payouts create`. */
  readonly command?: string;
}

/** The kinds of actors that the audit log knows; `service` is what the program does by itself. */
export const actorKinds = ['key', 'staff', 'token', 'creator', 'command', 'program-file', 'service'] as const;

/** Who changes something, as the audit log keeps it: what it was called then, whatever becomes of it. */
export interface Actor extends Whence {
  readonly kind: (typeof actorKinds)[number];
  readonly id: string;
  readonly name: string;
}

export function actorOf(principal: Principal, whence: Whence): Actor {
  switch (principal.kind) {
    case 'key':
      return { kind: 'key', id: principal.keyId, name: principal.name, ...whence };
    case 'staff':
      return { kind: 'staff', id: principal.staffId, name: principal.name, ...whence };
    case 'token':
      return { kind: 'token', id: principal.tokenId, name: principal.name, ...whence };
    case 'creator':
      return { kind: 'creator', id: principal.accountId, name: principal.name, ...whence };
    case 'command':
      return { kind: 'command', id: principal.user, name: principal.user, ...whence };
    case 'program-file':
      return { kind: 'program-file', id: principal.file, name: principal.user, ...whence };
  }
}

export const serviceActor: Actor = { kind: 'service', id: 'service', name: 'the service' };
