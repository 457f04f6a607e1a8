import type { Facts } from '../../audit/record-change.ts';
import { foldCode } from '../read/resolve-codes.ts';

interface CodeChange {
  /** Code in its latest spelling. */
  code: string;
  /** Previous values; null for a new code. */
  before: Facts | null;
  after: Facts;
}

/** Changes that `putMember` makes to a member: the values before and after. */
export class MemberChanges {
  readonly #before: Record<string, unknown> = {};
  readonly #after: Record<string, unknown> = {};
  /** Changes by folded code. A group code may have the same text as one of the account's global codes. */
  readonly #codes = { global: new Map<string, CodeChange>(), group: new Map<string, CodeChange>() };
  readonly #identities: string[] = [];
  #changesAccount = false;

  get isEmpty(): boolean {
    return Object.keys(this.after).length === 0;
  }

  /** True if the changes include account fields, which apply at every publisher. */
  get changesAccount(): boolean {
    return this.#changesAccount;
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

  addAccountFacts(before: Facts, after: Facts): void {
    this.#changesAccount = true;
    this.addMemberFacts(before, after);
  }

  addMemberFacts(before: Facts, after: Facts): void {
    Object.assign(this.#before, before);
    Object.assign(this.#after, after);
  }

  /**
   * Adds a change to a code. @param before null for a new code, or for a code whose earlier values were already added
   */
  addCode(code: string, before: Facts | null, after: Facts, isGlobal: boolean): void {
    if (isGlobal) this.#changesAccount = true;
    const codes = isGlobal ? this.#codes.global : this.#codes.group;
    const folded = foldCode(code);
    const known = codes.get(folded);
    codes.set(folded, {
      code,
      before: before === null ? (known?.before ?? null) : { ...known?.before, ...before },
      after: { ...known?.after, ...after },
    });
  }

  addIdentity(identity: string): void {
    this.#changesAccount = true;
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
    // Codes are never assigned as properties, because __proto__ is a valid code.
    const facts = all.flatMap((change) => (change[when] === null ? [] : [[change.name, change[when]]]));
    return facts.length === 0 ? {} : { codes: Object.fromEntries(facts) };
  }
}
