import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/** Where a service runs that `npm run dev:web` shows screens of. */
const service = process.env.SERVICE_URL ?? 'http://localhost:8080';
const served = ['/admin', '/v1', '/docs', '/openapi.json'];

/** The frame of index.html is painted before the styles have come: a stylesheet stops only what stands after it. */
const stylesAfterFrame: Plugin = {
  name: 'styles-after-frame',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler(html) {
      const links = html.match(/ *<link rel="stylesheet"[^>]*>\n/g) ?? [];
      const without = links.reduce((text, link) => text.replace(link, ''), html);
      return without.replace(/(?= *<div id="root">)/, () => links.join(''));
    },
  },
};

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), stylesAfterFrame],
  build: {
    target: 'es2023',
    // What the service serves for a year, because a name is of one content.
    assetsDir: 'assets',
    // Styles written into the page would need the policy to allow them.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    manifest: true,
    chunkSizeWarningLimit: 1_000,
    rolldownOptions: {
      output: {
        // Two files in place of sixty small ones: what a browser waits for on a slow line is turns, not bytes.
        codeSplitting: {
          groups: [
            { name: 'libraries', tags: ['$initial'], test: /node_modules/, priority: 2 },
            { name: 'dashboard', tags: ['$initial'], test: /\/src\/(?!main\.tsx)/, priority: 1 },
          ],
        },
      },
    },
  },
  server: {
    port: 5173,
    strictPort: true,
    // The service takes requests of its own pages alone, so they are sent as if they were.
    proxy: Object.fromEntries(
      served.map((path) => [path, { target: service, changeOrigin: true, headers: { origin: service } }]),
    ),
  },
});
