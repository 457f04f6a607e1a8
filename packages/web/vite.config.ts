import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/** URL of the service that `npm run dev:web` proxies to. */
const service = process.env.SERVICE_URL ?? 'http://localhost:8080';
const served = ['/admin', '/v1', '/docs', '/openapi.json'];

/** Moves the stylesheets after the frame in index.html, so that the frame is painted first: they block only what follows. */
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
    // The service lets browsers cache these files for a year, because their names contain a content hash.
    assetsDir: 'assets',
    // Inlined assets would have to be allowed by the content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    manifest: true,
    chunkSizeWarningLimit: 1_000,
    rolldownOptions: {
      output: {
        // Two files instead of sixty small ones, because on a slow connection round trips cost more than bytes.
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
    // The service accepts requests only from its own origin, so the proxy sets that origin.
    proxy: Object.fromEntries(
      served.map((path) => [path, { target: service, changeOrigin: true, headers: { origin: service } }]),
    ),
  },
});
