import { entryPoints, slices } from './scripts/slices.ts';

const src = '^packages/server/src';
const routes = `${src}/.*[/-]routes?\\.ts$|${src}/.*/routes/`;
const entryPoint = `${src}/(${entryPoints.join('|')})/`;
/** Generated client of the admin API. */
const generated = '^packages/web/src/client/';
const laterThan = (slice) => slices.slice(slices.indexOf(slice) + 1).join('|');

export default {
  forbidden: [
    {
      name: 'platform-knows-no-slice',
      comment: 'platform knows nothing of creators or purchases.',
      severity: 'error',
      from: { path: `${src}/platform/` },
      to: { path: `${src}/(?!platform/)` },
    },
    ...slices.map((slice) => ({
      name: `${slice}-imports-earlier-slices-only`,
      comment: 'For the other direction, use an outbox event, or a function passed in by composition.ts.',
      severity: 'error',
      from: { path: `${src}/${slice}/`, ...(slice === 'publishers' && { pathNot: routes }) },
      to: { path: `${src}/(${laterThan(slice)})/|${src}/[^/]+\\.ts$` },
    })),
    {
      name: 'routes-of-publishers-import-api-keys',
      comment: 'Routes declare their kind of key, and the slice api-keys comes after publishers.',
      severity: 'error',
      from: { path: `${src}/publishers/.*routes?\\.ts$` },
      to: { path: `${src}/(${laterThan('api-keys')})/|${src}/[^/]+\\.ts$` },
    },
    {
      name: 'no-imports-of-entry-points',
      comment: 'Entry points and routes translate for callers; no operation imports them.',
      severity: 'error',
      from: {
        path: `${src}/`,
        pathNot: [entryPoint, routes, `${src}/(app|composition|main)\\.ts$`, '\\.test\\.ts$'],
      },
      to: { path: [entryPoint, routes] },
    },
    {
      name: 'operations-import-no-http',
      comment:
        'Operations work for every entry point. They may use input schemas; the principal is resolved for all routes.',
      severity: 'error',
      from: {
        path: `${src}/(${slices.join('|')})/`,
        pathNot: [
          routes,
          `${src}/api-keys/(request-context|require-key|counted/count-requests|refused/collect-refused|ignored/report-ignored)\\.ts$`,
          `${src}/accounts/require-staff\\.ts$`,
          `${src}/portal/require-portal\\.ts$`,
          '\\.test\\.ts$',
        ],
      },
      to: { path: `${src}/platform/http/(?!schemas/|reference/)` },
    },
    {
      name: 'routes-belong-to-their-slice',
      comment: 'Neither entry points nor other slices import the routes of a slice.',
      severity: 'error',
      from: { path: `${src}/([^/]+)/` },
      to: { path: routes, pathNot: `${src}/$1/` },
    },
    {
      name: 'entry-points-are-separate',
      comment:
        'The command line and the admin API use the program file; no other entry point imports another.',
      severity: 'error',
      from: { path: `${src}/([^/]+)/` },
      to: { path: entryPoint, pathNot: [`${src}/$1/`, `${src}/program-file/`] },
    },
    {
      name: 'the-apis-of-people-open-no-transactions',
      comment: 'What compares versions or opens a transaction is an operation of a slice.',
      severity: 'error',
      from: { path: `${src}/(admin|portal)-api/`, pathNot: '\\.test\\.ts$' },
      to: { path: `${src}/(platform/database/in-transaction|publishers/changing-program)\\.ts$` },
    },
    {
      name: 'the-command-line-reads-program-files',
      comment:
        'Only the command line reads program files; the admin API exports them, copies programs and loads the demo.',
      severity: 'error',
      from: { path: `${src}/`, pathNot: [`${src}/(cli|program-file)/`, '\\.test\\.ts$'] },
      to: { path: `${src}/program-file/`, pathNot: [`${src}/program-file/(copy|demo|export)/`] },
    },
    {
      name: 'the-command-line-and-the-admin-api-write-program-files',
      comment: 'No other module exports or copies programs, or loads the demo.',
      severity: 'error',
      from: { path: `${src}/`, pathNot: [`${src}/(cli|admin-api|program-file)/`, '\\.test\\.ts$'] },
      to: { path: `${src}/program-file/(copy|demo|export)/` },
    },
    {
      name: 'no-circular-imports',
      comment: 'Merge two files that need each other, or move the shared part to a third.',
      severity: 'error',
      from: { pathNot: generated },
      to: { circular: true, pathNot: generated },
    },
    {
      name: 'client-and-web-do-not-import-the-server',
      comment: 'They call it over HTTP.',
      severity: 'error',
      from: { path: '^packages/(client|web)/src/' },
      to: { path: '^packages/server/' },
    },
    {
      name: 'client-does-not-import-web',
      comment: 'web uses client.',
      severity: 'error',
      from: { path: '^packages/client/' },
      to: { path: '^packages/web/' },
    },
    {
      name: 'no-tests-in-production-code',
      comment: 'Production code imports no test code.',
      severity: 'error',
      from: { path: `${src}/`, pathNot: '\\.test\\.ts$' },
      to: { path: '\\.test\\.ts$|^packages/server/test/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: 'node_modules|/dist/' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.js', '.css'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
    },
  },
};
