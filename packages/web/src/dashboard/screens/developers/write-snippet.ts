/** Values used in a snippet, without the key itself. */
export interface SnippetFacts {
  /** URL of this installation, without a trailing slash. */
  url: string;
  /** Environment variable with the key. */
  variable: string;
  /** Approved creator's code and its group; null if no approved creator has a code yet. */
  code: { code: string; groupId: string } | null;
}

export const languages = [
  { id: 'curl', title: 'curl' },
  { id: 'node', title: 'Node' },
  { id: 'python', title: 'Python' },
] as const;

type Language = (typeof languages)[number]['id'];

/** Returns the environment variable for a key's name: GAME_SERVER_KEY for `game server`. */
export function variableOf(keyName: string): string {
  const words = keyName
    .normalize('NFD')
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '');
  const name = /^[A-Z]/.test(words) ? words : `ATTRIBUTION_${words}`.replace(/_$/, '');
  return name.endsWith('_KEY') || name === 'KEY' ? name : `${name}_KEY`;
}

/** Writes a snippet that checks the key and, given a code, records a Test purchase. */
export const snippet = (language: Language, facts: SnippetFacts): string => writers[language](facts);

/** Returns the constant fields of a Test purchase, which never earns a payout. */
const fields = (code: string) => ({
  code,
  description: 'Battle pass',
  subtotal: 999,
  currency: 'USD',
  status: 'Test',
});

const pathOf = ({ groupId }: NonNullable<SnippetFacts['code']>): string =>
  `/v1/attributions/transactions?groupId=${encodeURIComponent(groupId)}`;

const writers: Readonly<Record<Language, (facts: SnippetFacts) => string>> = {
  curl: ({ url, variable, code }) => {
    const ping = `curl -sS -w '\\n' '${url}/v1/attributions/ping' -H "X-SHARED-SECRET: $${variable}"`;
    if (code === null) return ping;
    const rest = Object.entries(fields(code.code)).map(
      ([name, value]) => `"${name}": ${JSON.stringify(value).replaceAll("'", String.raw`'\''`)}`,
    );
    const body = [
      `"transactionId": "test-'"$(date +%s)"'"`,
      `"transactionDate": "'"$(date -u +%Y-%m-%dT%H:%M:%SZ)"'"`,
      ...rest,
    ].join(',\n    ');
    return [
      ping,
      '',
      `curl -sS -w '\\n' '${url}${pathOf(code)}' \\`,
      `  -H "X-SHARED-SECRET: $${variable}" \\`,
      `  -H 'Content-Type: application/json' \\`,
      `  -d '{\n    ${body}\n  }'`,
    ].join('\n');
  },
  node: ({ url, variable, code }) => {
    const head = [
      `const headers = { 'X-SHARED-SECRET': process.env.${variable}, 'Content-Type': 'application/json' };`,
      '',
      `const ping = await fetch('${url}/v1/attributions/ping', { headers });`,
      'console.log(ping.status, await ping.text());',
    ];
    if (code === null) return head.join('\n');
    return [
      ...head,
      '',
      `const recorded = await fetch('${url}${pathOf(code)}', {`,
      "  method: 'POST',",
      '  headers,',
      '  body: JSON.stringify({',
      "    transactionId: 'test-' + Date.now(),",
      '    transactionDate: new Date().toISOString(),',
      ...Object.entries(fields(code.code)).map(([name, value]) => `    ${name}: ${JSON.stringify(value)},`),
      '  }),',
      '});',
      'console.log(recorded.status, await recorded.text());',
    ].join('\n');
  },
  python: ({ url, variable, code }) => {
    const head = [
      'import json, os, time, urllib.error, urllib.request',
      '',
      'def ask(path, body=None):',
      `    headers = {"X-SHARED-SECRET": os.environ["${variable}"], "Content-Type": "application/json"}`,
      '    data = None if body is None else json.dumps(body).encode()',
      `    request = urllib.request.Request("${url}" + path, data, headers)`,
      '    try:',
      '        with urllib.request.urlopen(request) as answer:',
      '            print(answer.status, answer.read().decode())',
      '    except urllib.error.HTTPError as refused:',
      '        print(refused.code, refused.read().decode())',
      '',
      'ask("/v1/attributions/ping")',
    ];
    if (code === null) return head.join('\n');
    return [
      ...head,
      `ask(${JSON.stringify(pathOf(code))}, {`,
      '    "transactionId": f"test-{time.time_ns()}",',
      '    "transactionDate": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),',
      ...Object.entries(fields(code.code)).map(([name, value]) => `    "${name}": ${JSON.stringify(value)},`),
      '})',
    ].join('\n');
  },
};
