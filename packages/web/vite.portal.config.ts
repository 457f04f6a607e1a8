import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { buildOptions, loadInOrder, serverOptions } from './build-options.ts';

/** Path of the creators' portal (server: platform/setting-parsers.ts). */
const base = '/creators/';

/** Build of the creators' portal. It shares sources with the dashboard, but no files. */
export default defineConfig({
  root: import.meta.dirname,
  base,
  plugins: [react(), loadInOrder(base)],
  build: {
    ...buildOptions,
    rolldownOptions: {
      input: join(import.meta.dirname, 'creators.html'),
      output: {
        codeSplitting: {
          groups: [
            { name: 'libraries', tags: ['$initial'], test: /node_modules/, priority: 2 },
            { name: 'portal', tags: ['$initial'], test: /\/src\/(?!portal\/main\.tsx)/, priority: 1 },
            // Modules that several pages share are in one file.
            { name: 'shared', minShareCount: 3, priority: 0 },
            // Small modules cost less than the requests for them, even if only two pages use them.
            { name: 'small', minShareCount: 2, maxModuleSize: 2_000, priority: 0 },
          ],
        },
      },
    },
  },
  server: serverOptions(5174, ['/portal', '/logos']),
});
