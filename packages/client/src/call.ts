import type { Raw } from './send.ts';

/** Result of a call. Awaiting it gives the data, and `raw()` gives the data with the status, headers and request id. */
export interface Call<T> extends Promise<T> {
  raw(): Promise<Raw<T>>;
}

export function callOf<T>(response: Promise<Raw<T>>): Call<T> {
  const data = response.then((raw) => raw.data);
  return Object.assign(data, {
    raw() {
      data.catch(() => undefined); // the caller handles the error of `raw()`
      return response;
    },
  });
}

/** Converts the data of a response. */
export const mapRaw = async <From, To>(
  response: Promise<Raw<From>>,
  convert: (raw: Raw<From>) => To,
): Promise<Raw<To>> => {
  const raw = await response;
  return { ...raw, data: convert(raw) };
};
