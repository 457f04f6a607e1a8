import type { BuildEnvironmentOptions, Plugin, ServerOptions } from 'vite';

/** URL of the service that the development servers proxy to. */
const service = process.env.SERVICE_URL ?? 'http://localhost:8080';

/**
 * Moves the stylesheets after the frame in the page's HTML, so that the frame is painted first: they block only what
 * follows. Preloads the font, which the page uses only if the font arrives early (ui/theme/font.css).
 * @param base path that the build's files are served under, with a slash at the end
 */
export const loadInOrder = (base: string): Plugin => ({
  name: 'load-in-order',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler(html, { bundle = {} }) {
      const font = Object.keys(bundle).find((file) => /figtree-latin-wght.*\.woff2$/.test(file));
      if (font === undefined) throw new Error('the build contains no font');
      const links = html.match(/ *<link rel="stylesheet"[^>]*>\n/g) ?? [];
      const without = links.reduce((text, link) => text.replace(link, ''), html);
      const preload = `<link rel="preload" as="font" type="font/woff2" crossorigin href="${base}${font}">`;
      return without
        .replace(/(?= *<\/head>)/, () => `    ${preload}\n`)
        .replace(/(?= *<div id="root">)/, () => links.join(''));
    },
  },
});

/** Options of both builds. */
export const buildOptions: BuildEnvironmentOptions = {
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
};

/** Options of a development server that forwards paths to the service. */
export const serverOptions = (port: number, forwarded: readonly string[]): ServerOptions => ({
  port,
  strictPort: true,
  // The service accepts requests only from its own origin, so the proxy sets that origin.
  proxy: Object.fromEntries(
    forwarded.map((path) => [path, { target: service, changeOrigin: true, headers: { origin: service } }]),
  ),
});
