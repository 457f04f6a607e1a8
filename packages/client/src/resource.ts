import { type Call, callOf } from './call.ts';
import type { Operation } from './operations.ts';
import { type CallOptions, type Connection, type Parts, type Raw, send } from './send.ts';

type DateName = 'at' | 'startDate' | 'endDate' | 'updatedSince' | 'occurredAt' | 'transactionDate';

/** Type of a request in which a time may also be a Date. */
export type OrDates<T> = T extends unknown
  ? { [Name in keyof T]: Name extends DateName ? T[Name] | Date : T[Name] }
  : never;

/** Options of a call: those of every call, and the query parameters of the operation. */
export type Options<Data extends { query?: unknown }> = CallOptions & OrDates<NonNullable<Data['query']>>;

/** Operations on one kind of object. */
export class Resource {
  readonly #connection: Connection;

  /** @internal */
  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Sends a request. Options that are not of the call are query parameters. */
  protected raw<T>(
    operation: Operation,
    options: CallOptions,
    parts: Omit<Parts, 'query'> = {},
  ): Promise<Raw<T>> {
    const { signal, timeoutMs, traceparent, ...query } = options;
    const ofCall = {
      ...(signal && { signal }),
      ...(timeoutMs !== undefined && { timeoutMs }),
      ...(traceparent !== undefined && { traceparent }),
    };
    return send<T>(this.#connection, operation, { ...parts, query }, ofCall);
  }

  protected call<T>(operation: Operation, options: CallOptions, parts: Omit<Parts, 'query'> = {}): Call<T> {
    return callOf(this.raw<T>(operation, options, parts));
  }
}
