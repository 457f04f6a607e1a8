import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/** URL of the service that `npm run dev:web` proxies to. */
const service = process.env.SERVICE_URL ?? 'http://localhost:8080';
const served = ['/admin', '/v1', '/docs', '/openapi.json', '/logos'];

/**
 * Moves the stylesheets after the frame in index.html, so that the frame is painted first: they block only what follows.
 * Preloads the font, which the page uses only if the font arrives early (ui/theme/font.css).
 */
const loadInOrder: Plugin = {
  name: 'load-in-order',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler(html, { bundle = {} }) {
      const font = Object.keys(bundle).find((file) => /figtree-latin-wght.*\.woff2$/.test(file));
      if (font === undefined) throw new Error('the build contains no font');
      const links = html.match(/ *<link rel="stylesheet"[^>]*>\n/g) ?? [];
      const without = links.reduce((text, link) => text.replace(link, ''), html);
      const preload = `<link rel="preload" as="font" type="font/woff2" crossorigin href="/${font}">`;
      return without
        .replace(/(?= *<\/head>)/, () => `    ${preload}\n`)
        .replace(/(?= *<div id="root">)/, () => links.join(''));
    },
  },
};

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), loadInOrder],
  build: {
    target: 'es2023',
    // The first browsers with light-dark(). For older ones, it would be replaced by variables that Mantine doesn't set.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
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
            // Modules that several screens share are in one file. With a file for each, a screen took up to 79 requests.
            { name: 'shared', minShareCount: 5, priority: 0 },
            // Small modules cost less than the requests for them, even if only two screens use them.
            { name: 'small', minShareCount: 2, maxModuleSize: 2_000, priority: 0 },
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
