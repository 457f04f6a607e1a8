import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** Where a service runs that `npm run dev:web` shows screens of. */
const service = process.env.SERVICE_URL ?? 'http://localhost:8080';
const served = ['/admin', '/v1', '/docs', '/openapi.json'];

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
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
