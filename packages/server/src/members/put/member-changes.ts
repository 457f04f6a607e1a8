import type { Facts } from '../../audit/record-change.ts';

/** What becomes different of a member while it is put: the facts as they were, and as they are now. */
export class MemberChanges {
  readonly #before: Record<string, unknown> = {};
  readonly #after: Record<string, unknown> = {};
  readonly #codesBefore: Record<string, Facts> = {};
  readonly #codes: Record<string, Facts> = {};
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
    return { ...this.#before, ...named('codes', this.#codesBefore) };
  }

  get after(): Facts {
    return {
      ...this.#after,
      ...named('codes', this.#codes),
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
    if (before !== null) this.#codesBefore[code] = { ...this.#codesBefore[code], ...before };
    this.#codes[code] = { ...this.#codes[code], ...after };
  }

  ofIdentity(identity: string): void {
    this.#isOfAccount = true;
    this.#identities.push(identity);
  }
}

const named = (name: string, facts: Readonly<Record<string, Facts>>): Facts =>
  Object.keys(facts).length === 0 ? {} : { [name]: facts };
