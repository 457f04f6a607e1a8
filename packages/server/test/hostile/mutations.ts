import type { Random } from '../simulation/random.ts';
import { type Draft, encode } from './draft.ts';
import {
  hostileBodies,
  hostileDates,
  hostileEscapes,
  hostileHeaders,
  hostileMethods,
  hostileNumbers,
  hostileTexts,
} from './hostile-values.ts';
import type { Pool } from './pool.ts';

type Json = Record<string, unknown>;
type Mutation = (draft: Draft, random: Random, pool: Pool) => void;

/** Prefix for text that is written as a number. */
const numberMark = 'NUMBER:';
const writeNumbers = (text: string): string => text.replaceAll(/"NUMBER:([-+.\dEe]+)"/g, '$1');

const prototypeKeys = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'valueOf',
  'toJSON',
  'then',
  '',
  '\0',
  '\ud800',
];

function hostileValue(random: Random): unknown {
  switch (random.below(9)) {
    case 0:
    case 1:
    case 2:
      return random.pick(hostileTexts);
    case 3:
      return random.pick(hostileDates);
    case 4:
    case 5:
      return numberMark + random.pick(hostileNumbers);
    case 6:
      return random.pick([null, true, false, [], {}, [[]], [null], { '': null }]);
    case 7:
      return Array.from({ length: random.pick([1, 2, 101, 1_001]) }, () => random.pick(hostileTexts));
    default:
      return JSON.parse(`${'{"a":'.repeat(40)}[]${'}'.repeat(40)}`);
  }
}

/** Location of a replaceable value. */
interface Place {
  holder: Json | unknown[];
  key: string | number;
}

function placesOf(draft: Draft): Place[] {
  const places: Place[] = [];
  const visit = (holder: Json | unknown[], depth: number): void => {
    for (const key of Array.isArray(holder) ? holder.keys() : Object.keys(holder)) {
      places.push({ holder, key });
      const value = (holder as Json)[key];
      if (typeof value === 'object' && value !== null && depth < 8) visit(value as Json, depth + 1);
    }
  };
  if (typeof draft.json === 'object' && draft.json !== null) visit(draft.json as Json, 0);
  return places;
}

export const mutations: Readonly<Record<string, Mutation>> = {
  value: (draft, random) => {
    const places = placesOf(draft);
    const value = hostileValue(random);
    draft.rewrites.push(writeNumbers);
    if (places.length === 0 || random.oneIn(12)) draft.json = draft.json === undefined ? undefined : value;
    else {
      const { holder, key } = random.pick(places);
      (holder as Json)[key] = value;
    }
  },
  'another value': (draft, random, pool) => mutations.value?.(draft, random, pool),
  'missing property': (draft, random) => {
    const places = placesOf(draft);
    if (places.length === 0) return;
    const { holder, key } = random.pick(places);
    if (Array.isArray(holder)) holder.splice(Number(key), 1);
    else delete holder[key];
  },
  'unknown property': (draft, random) => {
    const key = random.oneIn(2) ? random.pick(prototypeKeys) : random.pick(hostileTexts);
    const holders = placesOf(draft).filter(({ holder }) => !Array.isArray(holder));
    if (holders.length === 0) return;
    Object.defineProperty(random.pick(holders).holder, key, {
      value: hostileValue(random),
      enumerable: true,
      configurable: true,
      writable: true,
    });
    draft.rewrites.push(writeNumbers);
  },
  'property twice': (draft, random) => {
    const value = JSON.stringify(hostileValue(random));
    draft.rewrites.push(
      (text) => text.replace(/\{("[^"]*":)/, (_, key: string) => `{${key}${value},${key}`),
      writeNumbers,
    );
  },
  'many entries': (draft, random) => {
    const arrays = placesOf(draft)
      .map(({ holder, key }) => (holder as Json)[key])
      .concat([draft.json])
      .filter((each) => Array.isArray(each));
    if (arrays.length === 0) return;
    const array = random.pick(arrays);
    if (array.length === 0) array.push(null);
    const length = random.pick([2, 101, 501, 1_001]);
    while (array.length < length) array.push(array[0]);
  },
  'broken text': (draft, random) => {
    const at = random.next();
    const how = random.below(6);
    draft.rewrites.push((text) => {
      const cut = at % (text.length + 1);
      if (how === 0) return text.slice(0, cut);
      if (how === 1) return `${text}${text}`;
      if (how === 2) return `${text.slice(0, cut)}\0${text.slice(cut)}`;
      if (how === 3)
        return Buffer.concat([
          Buffer.from(text.slice(0, cut)),
          Buffer.from([0xff]),
          Buffer.from(text.slice(cut)),
        ]);
      return how === 4 ? Buffer.from(text, 'utf16le') : Buffer.from(text.replaceAll(/[a-z]/g, 'é'), 'latin1');
    });
  },
  'other body': (draft, random) => {
    draft.body = random.pick(hostileBodies);
  },
  'no body': (draft) => {
    draft.json = undefined;
  },
  'as a form': (draft) => {
    draft.headers = draft.headers.map(([name, value]) => [
      name,
      name === 'content-type' ? 'application/x-www-form-urlencoded' : value,
    ]);
  },
  chunks: (draft) => {
    draft.isChunked = true;
  },
  parameter: (draft, random) => {
    if (draft.parameters.length === 0) return;
    const text = random.oneIn(4) ? random.pick(hostileDates) : random.pick(hostileTexts);
    draft.segments[random.pick(draft.parameters)] = encode(text);
  },
  'escapes in the path': (draft, random) => {
    const at =
      random.oneIn(4) || draft.parameters.length === 0
        ? random.below(draft.segments.length)
        : random.pick(draft.parameters);
    const escaped = random.pick(hostileEscapes);
    draft.segments[at] = random.oneIn(2) ? escaped : `${draft.segments[at]}${escaped}`;
    if (/[^\x21-\x7e]|[<>"{}|^`]/.test(escaped)) draft.mayBreakHttp = true;
  },
  'other path': (draft, random) => {
    const how = random.below(5);
    if (how === 0) draft.segments.push('');
    else if (how === 1) draft.segments.push('..', 'x');
    else if (how === 2) draft.segments.splice(random.below(draft.segments.length), 1);
    else if (how === 3) draft.segments.splice(1, 0, '');
    else draft.segments = draft.segments.map((segment, at) => (at === 1 ? segment.toUpperCase() : segment));
    draft.parameters = [];
  },
  'known id elsewhere': (draft, random, pool) => {
    if (draft.parameters.length === 0) return;
    const name = random.pick([
      'publisherId',
      'memberId',
      'transactionId',
      'payoutId',
      'bountyId',
      'code',
      'groupId',
      'cursor',
    ]);
    const known = pool.pick(name, random);
    if (known !== undefined) draft.segments[random.pick(draft.parameters)] = encode(String(known));
  },
  query: (draft, random) => {
    const names: string[] = (draft.operation.said.parameters ?? [])
      .filter((each: { in: string }) => each.in === 'query')
      .map(({ name }: { name: string }) => name);
    const name =
      names.length > 0 && !random.oneIn(4)
        ? random.pick(names)
        : random.pick(['__proto__', 'x', '', 'constructor']);
    const value = random.pick([
      encode(random.pick(hostileTexts)),
      encode(random.pick(hostileDates)),
      random.pick(hostileEscapes).replaceAll('#', ''),
      random.pick(hostileNumbers),
    ]);
    if (/["<>{}|^`]/.test(value)) draft.mayBreakHttp = true;
    const form = random.below(6);
    if (form === 0) draft.query.push(`${name}[]=${value}`);
    else if (form === 1) draft.query.push(`${name}[${value}]=1`);
    else if (form === 2) draft.query.push(name);
    else if (form === 3) draft.query.push(`${name}=${value}`, `${name}=${value}`);
    else draft.query = [...draft.query.filter((each) => !each.startsWith(`${name}=`)), `${name}=${value}`];
  },
  'forged cursor': (draft, random, pool) => {
    const known = String(pool.pick(random.pick(['cursor', 'nextCursor']), random) ?? 'eyJhIjoxfQ');
    const at = random.below(known.length + 1);
    const forged = [
      known,
      known.slice(0, at),
      `${known.slice(0, at)}A${known.slice(at + 1)}`,
      `${known}${known}`,
      Buffer.from(random.pick(hostileTexts)).toString('base64url'),
      Buffer.from(JSON.stringify([random.pick(hostileDates), random.pick(hostileTexts)])).toString(
        'base64url',
      ),
    ];
    draft.query = [
      ...draft.query.filter((each) => !each.startsWith('cursor=')),
      `cursor=${encode(random.pick(forged))}`,
    ];
  },
  header: (draft, random) => {
    const [name, value] = random.pick(hostileHeaders);
    draft.headers = [...draft.headers.filter(([known]) => known !== name), [name, value]];
    draft.mayBreakHttp ||= breaking.has(name);
  },
  'header twice': (draft, random) => {
    const [name, value] =
      random.oneIn(2) && draft.headers.length > 0 ? random.pick(draft.headers) : random.pick(hostileHeaders);
    draft.headers.push([name, value], [name, value]);
    draft.mayBreakHttp ||= breaking.has(name);
  },
  'no headers': (draft) => {
    draft.headers = [];
  },
  method: (draft, random) => {
    draft.method = random.pick(hostileMethods);
    draft.mayBreakHttp ||= !/^(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS|TRACE)$/.test(draft.method);
  },
};

/** Headers that the HTTP parser itself checks. The parser also checks the total size of all headers. */
const breaking: ReadonlySet<string> = new Set([
  'host',
  'expect',
  'upgrade',
  'x-huge',
  'te',
  'authorization',
  'x-shared-secret',
]);
