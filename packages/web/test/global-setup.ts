import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';
import type { TestProject } from 'vitest/node';
import { builtPages, isBuilt } from '../../server/src/platform/http/pages/serve-page.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Endpoint of the run's browser; null if none is installed. */
    browserEndpoint: string | null;
  }
}

// Chromium's headless shell draws pages like the full browser, and takes a fifth less processor time.
const browsers = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];
const executablePath = process.env.CHROMIUM_PATH ?? browsers.find((path) => existsSync(path));

/** Starts one browser for the whole run. Each test has its own contexts. */
export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  if (executablePath === undefined || !existsSync(executablePath)) {
    process.stdout.write(
      `Tests in a browser are skipped: there is no ${executablePath ?? browsers.join(' or ')} (CHROMIUM_PATH).\n`,
    );
    project.provide('browserEndpoint', null);
    return undefined;
  }
  if (!isBuilt(builtPages)) throw new Error('Build the dashboard first: npm run build:web');
  const server = await chromium.launchServer({
    executablePath,
    args: ['--no-sandbox', '--font-render-hinting=none', '--disable-gpu'],
  });
  project.provide('browserEndpoint', server.wsEndpoint());
  return () => server.close();
}
