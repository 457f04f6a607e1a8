import { doors, rooms } from './scripts/rooms.ts';

const src = '^packages/server/src';
const routes = `${src}/.*[/-]routes?\\.ts$|${src}/.*/routes/`;
const door = `${src}/(${doors.join('|')})/`;
/** The client of the admin API, which a generator writes. */
const made = '^packages/web/src/client/';
const laterThan = (room) => rooms.slice(rooms.indexOf(room) + 1).join('|');

export default {
  forbidden: [
    {
      name: 'platform-knows-no-slice',
      comment: 'platform knows nothing of creators or purchases.',
      severity: 'error',
      from: { path: `${src}/platform/` },
      to: { path: `${src}/(?!platform/)` },
    },
    ...rooms.map((room) => ({
      name: `${room}-knows-earlier-rooms-only`,
      comment: 'The other way round: an outbox event, or a function passed in by composition.ts.',
      severity: 'error',
      from: { path: `${src}/${room}/`, ...(room === 'publishers' && { pathNot: routes }) },
      to: { path: `${src}/(${laterThan(room)})/|${src}/[^/]+\\.ts$` },
    })),
    {
      name: 'routes-of-publishers-know-who-asks',
      comment: 'A route says which key it wants, which api-keys knows, and publishers stand before those.',
      severity: 'error',
      from: { path: `${src}/publishers/.*routes?\\.ts$` },
      to: { path: `${src}/(${laterThan('api-keys')})/|${src}/[^/]+\\.ts$` },
    },
    {
      name: 'doors-lead-in',
      comment: 'Doors and routes translate for somebody outside; nobody inside asks them anything.',
      severity: 'error',
      from: {
        path: `${src}/`,
        pathNot: [door, routes, `${src}/(app|composition|main)\\.ts$`, '\\.test\\.ts$'],
      },
      to: { path: [door, routes] },
    },
    {
      name: 'operations-know-no-door',
      comment:
        'What a room does it does for every door. Schemas say what an input is; who asks is found for all routes.',
      severity: 'error',
      from: {
        path: `${src}/(${rooms.join('|')})/`,
        pathNot: [
          routes,
          `${src}/api-keys/(request-context|require-key|refused/collect-refused|ignored/report-ignored)\\.ts$`,
          `${src}/accounts/require-staff\\.ts$`,
          '\\.test\\.ts$',
        ],
      },
      to: { path: `${src}/platform/http/(?!schemas/|reference/)` },
    },
    {
      name: 'routes-are-their-rooms',
      comment: 'A door has no use for the routes of a room, nor a room for those of another.',
      severity: 'error',
      from: { path: `${src}/([^/]+)/` },
      to: { path: routes, pathNot: `${src}/$1/` },
    },
    {
      name: 'doors-are-apart',
      comment:
        'The command line and the admin API lead to the program file; no other door leads through another.',
      severity: 'error',
      from: { path: `${src}/([^/]+)/` },
      to: { path: door, pathNot: [`${src}/$1/`, `${src}/program-file/`] },
    },
    {
      name: 'the-command-line-reads-program-files',
      comment:
        'And nobody else does; the admin API has them written, and a program copied by what they can say.',
      severity: 'error',
      from: { path: `${src}/`, pathNot: [`${src}/(cli|program-file)/`, '\\.test\\.ts$'] },
      to: { path: `${src}/program-file/`, pathNot: [`${src}/program-file/(copy|export)/`] },
    },
    {
      name: 'the-command-line-and-the-admin-api-write-program-files',
      comment: 'And nobody else does.',
      severity: 'error',
      from: { path: `${src}/`, pathNot: [`${src}/(cli|admin-api|program-file)/`, '\\.test\\.ts$'] },
      to: { path: `${src}/program-file/(copy|export)/` },
    },
    {
      name: 'no-circles',
      comment: 'Two files that need each other are one thing, or a third is missing.',
      severity: 'error',
      from: { pathNot: made },
      to: { circular: true, pathNot: made },
    },
    {
      name: 'sdk-and-web-do-not-know-the-server',
      comment: 'They speak to it over HTTP.',
      severity: 'error',
      from: { path: '^packages/(sdk|web/src)/' },
      to: { path: '^packages/server/' },
    },
    {
      name: 'sdk-does-not-know-web',
      comment: 'web uses sdk.',
      severity: 'error',
      from: { path: '^packages/sdk/' },
      to: { path: '^packages/web/' },
    },
    {
      name: 'no-tests-in-the-product',
      comment: 'What runs needs nothing that only tests use.',
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
