import { rooms } from './scripts/rooms.ts';

const src = '^packages/server/src';

export default {
  forbidden: [
    {
      name: 'platform-knows-no-slice',
      comment: 'platform knows nothing of creators or purchases.',
      severity: 'error',
      from: { path: `${src}/platform/` },
      to: { path: `${src}/(?!platform/)` },
    },
    ...rooms.map((room, index) => ({
      name: `${room}-knows-earlier-rooms-only`,
      comment: 'The other way round: an outbox event, or a function passed in by app.ts or worker.ts.',
      severity: 'error',
      from: { path: `${src}/${room}/` },
      to: { path: `${src}/(${[...rooms.slice(index + 1), 'cli'].join('|')})/|${src}/[^/]+\\.ts$` },
    })),
    {
      name: 'no-circles',
      comment: 'Two files that need each other are one thing, or a third is missing.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'sdk-and-web-do-not-know-the-server',
      comment: 'They speak to it over HTTP.',
      severity: 'error',
      from: { path: '^packages/(sdk|web)/' },
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
      extensions: ['.ts', '.tsx', '.js'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
    },
  },
};
