import { useState } from 'react';
import { codeOf } from './api-failure.ts';
import type { Undo } from './toast.ts';
import { useUnsaved } from './unsaved.tsx';

/** Saved object with the version that an edit is based on. */
interface Versioned {
  version: string;
}

/** Name and value of each field, as text for comparing two versions. */
export type Described = readonly (readonly [name: string, value: string])[];

interface EditOptions<Thing extends Versioned | null, Fields, Input, Saved extends Thing | null> {
  /** Saved object; null for a new one. If a newer version arrives, a form without changes shows that version. */
  thing: Thing;
  /** Returns the form's input for a saved object, or the initial input for a new one. */
  fieldsOf(thing: Thing): Fields;
  /** Initial input, if the form opens with a proposed change. */
  proposed?: Fields;
  describe(fields: Fields): Described;
  /** @returns the input to save; null while a field is missing or invalid */
  read(fields: Fields): Input | null;
  /**
   * Returns a normalized form of the input for comparisons. Needed if the same input can be written in
   * different ways.
   */
  comparable?(fields: Fields): unknown;
  /**
   * Saves the input over a version (null for a new object).
   * @returns the saved object; null if the form closes without it
   */
  save(input: Input, over: Thing): Promise<Saved>;
  /** Reads the saved object after a stale edit; undefined if it can't be found. */
  readAgain(): Promise<NonNullable<Thing> | undefined>;
  /**
   * Runs after a save.
   * @param undo saves the previous values over the new version; null for a new object
   */
  onSaved(saved: Saved, undo: Undo | null): unknown;
}

/** Versions to compare after a stale edit. */
export interface Compared {
  theirs: Described;
  yours: Described;
}

/** Part of an edit that `VersionedForm` needs. */
export interface Edit {
  isBusy: boolean;
  /** False while the input is the same as the saved values. A new object always counts as changed. */
  isChanged: boolean;
  /** Error of the last save; null after a stale edit, which has `compared`. */
  error: unknown;
  compared: Compared | null;
  /** Saves the input, unless a field is missing or invalid. */
  save(): Promise<void>;
  /** Replaces the input with the saved values. */
  takeTheirs(): void;
}

export interface VersionedEdit<Thing, Fields, Input> extends Edit {
  fields: Fields;
  /** Input to save; null while a field is missing or invalid. */
  input: Input | null;
  setFields(change: Fields | ((before: Fields) => Fields)): void;
  change(changes: Partial<Fields>): void;
  /** Version that a save replaces; null for a new object. */
  base: Thing;
  /** Marks the input as saved, before the form closes for another reason. */
  settle(): void;
}

/**
 * Edits an object that two people may change at the same time. A save names the version that the form was opened with.
 * If someone else has saved another version since then, nothing is lost: the form shows the other person's values next
 * to its own, and the next save replaces the other person's version.
 */
export function useVersionedEdit<Thing extends Versioned | null, Fields, Input, Saved extends Thing | null>(
  options: EditOptions<Thing, Fields, Input, Saved>,
): VersionedEdit<Thing, Fields, Input> {
  const { thing, fieldsOf, describe, comparable = (fields) => fields } = options;
  const [fields, setFields] = useState(() => options.proposed ?? fieldsOf(thing));
  const [first, setFirst] = useState(() => comparable(fields));
  const [base, setBase] = useState(thing);
  const [lastSeen, setLastSeen] = useState(thing?.version);
  const [isStale, setStale] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const settle = useUnsaved(comparable(fields), first);
  const input = options.read(fields);

  const show = (saved: NonNullable<Thing>): void => {
    const values = fieldsOf(saved);
    setBase(saved);
    setStale(false);
    setFields(values);
    setFirst(comparable(values));
  };
  if (thing !== null && base !== null && thing.version !== lastSeen) {
    setLastSeen(thing.version);
    const [before, now, yours] = [fieldsOf(base), fieldsOf(thing), fields].map((each) =>
      JSON.stringify(comparable(each)),
    );
    if (yours === before) show(thing);
    // The other change affected only values that this form doesn't have.
    else if (now === before) setBase(thing);
  }

  const undoOf = (saved: Saved): Undo | null => {
    const before = base === null ? null : options.read(fieldsOf(base));
    return saved === null || before === null ? null : () => options.save(before, saved);
  };

  const save = async (): Promise<void> => {
    if (input === null) return;
    setBusy(true);
    setError(null);
    try {
      const saved = await options.save(input, base);
      const undo = undoOf(saved);
      settle();
      if (saved !== null) show(saved);
      await options.onSaved(saved, undo);
    } catch (thrown) {
      const now = codeOf(thrown) === 'Stale' ? await options.readAgain().catch(() => undefined) : undefined;
      if (now === undefined) setError(thrown);
      else {
        setBase(now);
        setStale(true);
      }
    } finally {
      setBusy(false);
    }
  };
  return {
    fields,
    input,
    setFields,
    change: (changes) => setFields((before) => ({ ...before, ...changes })),
    base,
    settle,
    isBusy,
    isChanged: base === null || !isSame(comparable(fields), comparable(fieldsOf(base))),
    error,
    compared: isStale ? { theirs: describe(fieldsOf(base)), yours: describe(fields) } : null,
    save,
    takeTheirs: () => base !== null && show(base),
  };
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
