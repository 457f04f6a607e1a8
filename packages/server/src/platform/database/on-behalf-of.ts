import { AsyncLocalStorage } from 'node:async_hooks';

/** For whom something asks the database, and until when an answer is of use. */
export interface Errand {
  /** The publisher; '' for what none has asked for. */
  readonly holder: string;
  /** On performance.now()'s clock; Infinity when nobody waits. */
  readonly endsAtMs: number;
}

const errands = new AsyncLocalStorage<Errand>();
const nobodys: Errand = { holder: '', endsAtMs: Number.POSITIVE_INFINITY };

/** Runs a request's work, so that connections know whose it is without every function's saying so. */
export const onBehalfOf = <Result>(errand: Errand, work: () => Result): Result => errands.run(errand, work);

export const currentErrand = (): Errand => errands.getStore() ?? nobodys;

/** @returns what is left of its time to the request at work */
export const leftMs = (): number => currentErrand().endsAtMs - performance.now();
