import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { buildOptions, loadInOrder, serverOptions } from './build-options.ts';

const forSignIn = /PasswordInput|session\/(fields|providers|sign-in-form)|outside-frame/;
const isNotForSignIn = (module: string): boolean => !forSignIn.test(module);
/** Parts that only new publishers and sandboxes need, apart from those that load them. */
const forFirstSteps =
  /first-steps\/(?!lazy-|use-first-steps|first-steps-gate)|sandbox\/(use-copy|use-open-sandbox|publisher-link|advance-month)/;
/** Small modules that only two screens or dialogs need. */
const forFew = /dashboard\/use-found|ui\/sort-head/;
const isForMost = (module: string): boolean =>
  isNotForSignIn(module) && !forFirstSteps.test(module) && !forFew.test(module);

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), loadInOrder('/')],
  build: {
    ...buildOptions,
    rolldownOptions: {
      output: {
        // Two files instead of sixty small ones, because on a slow connection round trips cost more than bytes.
        codeSplitting: {
          groups: [
            { name: 'libraries', tags: ['$initial'], test: /node_modules/, priority: 3 },
            { name: 'dashboard', tags: ['$initial'], test: /\/src\/(?!main\.tsx)/, priority: 2 },
            // Modules that several screens share are in one file. With a file for each, a screen took up to 79 requests.
            { name: 'shared', minShareCount: 5, test: isNotForSignIn, priority: 1 },
            // Small modules cost less than the requests for them, even if only two screens use them.
            { name: 'small', minShareCount: 2, maxModuleSize: 2_000, test: isForMost, priority: 1 },
            // No screen needs these.
            { name: 'sign-in', minShareCount: 2, test: forSignIn, priority: 0 },
          ],
        },
      },
    },
  },
  server: serverOptions(5173, ['/admin', '/v1', '/docs', '/openapi.json', '/logos']),
});
