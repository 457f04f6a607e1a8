/**
 * Compares a printed response with the actual one, value by value. Variable parts match as follows:
 * - `…` matches anything: part of a string, more properties of an object, more elements of a list.
 * - An id, key, code or time that the page's commands do not contain matches any other value of the same
 *   form.
 * - In plain text, a number matches any number.
 *
 * @param named text of the page's commands; values that it contains are compared exactly
 * @returns the difference; null if there is none
 */
export function difference(printed: string, answered: string, named: string): string | null {
  if (!/^[{[]/.test(printed)) return textDifference(printed, answered);
  let answer: unknown;
  try {
    answer = JSON.parse(answered);
  } catch {
    return `is printed as JSON, and is: ${answered}`;
  }
  return valueDifference(JSON.parse(withMarks(printed)), answer, { named, place: '' });
}

const any = '…';

/** Patterns for values that differ between runs. */
const forms: readonly RegExp[] = [
  /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/,
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
  /^[0-9A-Za-z_-]{21}$/,
  /^svc_sk_\w+$/,
  /^svc_pk_\w+$/,
  /^[2-9A-HJKMNP-Z]{8}$/,
  /^[2-9A-HJKMNP-Z]{4}-[2-9A-HJKMNP-Z]{4}$/,
];

interface Where {
  named: string;
  place: string;
}

function valueDifference(printed: unknown, answered: unknown, where: Where): string | null {
  const { named, place } = where;
  const differs = (): string =>
    `${place || 'it'} is printed as ${JSON.stringify(printed)}, and is ${JSON.stringify(answered)}`;
  if (printed === any) return null;
  if (typeof printed === 'string' && typeof answered === 'string') {
    if (printed === answered || (printed.includes(any) && withGaps(printed, any).test(answered))) return null;
    const isNamed = named.includes(printed) || named.includes(printed.replace('.000Z', 'Z'));
    return !isNamed && forms.some((form) => form.test(printed) && form.test(answered)) ? null : differs();
  }
  if (Array.isArray(printed) && Array.isArray(answered)) {
    const gap = printed.indexOf(any);
    if (gap === -1 ? printed.length !== answered.length : printed.length - 1 > answered.length)
      return differs();
    const expected = gap === -1 ? printed : [...printed.slice(0, gap), ...printed.slice(gap + 1)];
    return first(expected, (each, index) => {
      const at = gap === -1 || index < gap ? index : answered.length - expected.length + index;
      return valueDifference(each, answered[at], { named, place: `${place}[${at}]` });
    });
  }
  if (isObject(printed) && isObject(answered)) {
    const unprinted = any in printed ? [] : Object.keys(answered).filter((name) => !(name in printed));
    if (unprinted.length > 0) return `${place || 'it'} has ${unprinted.join(', ')}, which is not printed`;
    return first(Object.keys(printed), (name) =>
      name === any
        ? null
        : valueDifference(printed[name], answered[name], { named, place: `${place}.${name}` }),
    );
  }
  return printed === answered ? null : differs();
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function first<Each>(
  list: readonly Each[],
  look: (each: Each, index: number) => string | null,
): string | null {
  for (const [index, each] of list.entries()) {
    const found = look(each, index);
    if (found !== null) return found;
  }
  return null;
}

const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

function textDifference(printed: string, answered: string): string | null {
  const plain = (text: string): string =>
    text
      .replace(uuid, any)
      .replace(/\d+(?:[.,]\d+)*/g, '0')
      .replace(/[ \t]+/g, ' ')
      .trim();
  return withGaps(plain(printed), any).test(plain(answered))
    ? null
    : `is printed as\n${printed}\nand is\n${answered}`;
}

/** Returns a pattern for text in which each gap matches anything. */
const withGaps = (text: string, gap: string): RegExp =>
  new RegExp(
    `^${text
      .split(gap)
      .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      .join('[\\s\\S]*')}$`,
  );

/** Converts printed JSON to valid JSON. `…` outside strings becomes a property or an element. */
function withMarks(printed: string): string {
  const open: string[] = [];
  return printed.replace(/"(?:[^"\\]|\\.)*"|[{}[\]…]/g, (token) => {
    if (token === '{' || token === '[') open.push(token);
    if (token === '}' || token === ']') open.pop();
    if (token !== any) return token;
    return open.at(-1) === '{' ? `"${any}":"${any}"` : `"${any}"`;
  });
}
