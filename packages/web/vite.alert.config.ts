import { join } from 'node:path';
import { defineConfig } from 'vite';
import { buildOptions, serverOptions } from './build-options.ts';

/** Oldest browser in streaming software that is still in use: OBS Studio 30 contains Chromium 103. */
const target = 'chrome103';

/** Build of the stream alert's page, which has no libraries. */
export default defineConfig({
  root: import.meta.dirname,
  base: '/creators/alert/',
  publicDir: false,
  build: {
    ...buildOptions,
    target,
    cssTarget: target,
    rolldownOptions: { input: join(import.meta.dirname, 'alert.html') },
  },
  server: serverOptions(5175, ['/portal']),
});
