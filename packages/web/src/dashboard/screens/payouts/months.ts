/** @returns UTC month of a time, such as `2026-10` */
export const monthOf = (ms: number): string => new Date(ms).toISOString().slice(0, 7);

/** @returns month that is `step` months after another one */
export function monthFrom(month: string, step: number): string {
  const [year = 1970, index = 1] = month.split('-').map(Number);
  return monthOf(Date.UTC(year, index - 1 + step, 1));
}
