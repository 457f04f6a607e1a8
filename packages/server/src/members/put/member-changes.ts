import type { Facts } from '../../audit/record-change.ts';
import { foldCode } from '../read/resolve-codes.ts';

interface CodeChange {
  /** As it was spelled last. */
  code: string;
  /** Null for a code that is new. */
  before: Facts | null;
  after: Facts;
}

/** What becomes different of a member while it is put: the facts as they were, and as they are now. */
export class MemberChanges {
  readonly #before: Record<string, unknown> = {};
  readonly #after: Record<string, unknown> = {};
  /** By folded code: a group may have a code of its own that reads as one of the account. */
  readonly #codes = { global: new Map<string, CodeChange>(), group: new Map<string, CodeChange>() };
  readonly #identities: string[] = [];
  #isOfAccount = false;

  get isEmpty(): boolean {
    return Object.keys(this.after).length === 0;
  }

  /** Whether something is different of what the account has in common everywhere. */
  get isOfAccount(): boolean {
    return this.#isOfAccount;
  }

  get before(): Facts {
    return { ...this.#before, ...this.#ofCodes('before') };
  }

  get after(): Facts {
    return {
      ...this.#after,
      ...this.#ofCodes('after'),
      ...(this.#identities.length > 0 && { identities: this.#identities }),
    };
  }

  ofAccount(before: Facts, after: Facts): void {
    this.#isOfAccount = true;
    this.ofMember(before, after);
  }

  ofMember(before: Facts, after: Facts): void {
    Object.assign(this.#before, before);
    Object.assign(this.#after, after);
  }

  /** @param before null for a code that is new, or said before */
  ofCode(code: string, before: Facts | null, after: Facts, isGlobal: boolean): void {
    if (isGlobal) this.#isOfAccount = true;
    const codes = isGlobal ? this.#codes.global : this.#codes.group;
    const folded = foldCode(code);
    const known = codes.get(folded);
    codes.set(folded, {
      code,
      before: before === null ? (known?.before ?? null) : { ...known?.before, ...before },
      after: { ...known?.after, ...after },
    });
  }

  ofIdentity(identity: string): void {
    this.#isOfAccount = true;
    this.#identities.push(identity);
  }

  #ofCodes(when: 'before' | 'after'): Facts {
    const { global, group } = this.#codes;
    const all = [
      ...[...global.values()].map((change) => ({ ...change, name: change.code })),
      ...[...group].map(([folded, change]) => ({
        ...change,
        name: global.has(folded) ? `${change.code} (group)` : change.code,
      })),
    ];
    // Never assigned by name: __proto__ is a code like any other.
    const facts = all.flatMap((change) => (change[when] === null ? [] : [[change.name, change[when]]]));
    return facts.length === 0 ? {} : { codes: Object.fromEntries(facts) };
  }
}
