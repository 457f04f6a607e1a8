import { build } from 'vite';

/** Bundles an entry of the client for browsers, minified. @param entry path of its file */
export async function clientBundle(entry: string): Promise<string> {
  const result = await build({
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      minify: true,
      target: 'es2022',
      rolldownOptions: {
        input: entry,
        preserveEntrySignatures: 'strict',
        output: { format: 'es', codeSplitting: false },
      },
    },
  });
  const [first] = [result].flat();
  if (first === undefined || !('output' in first)) throw new Error('the bundle is empty');
  return first.output[0].code;
}
