#!/usr/bin/env -S MALLOC_MMAP_THRESHOLD_=131072 node --max-semi-space-size=16 --heap-growing-percent=40
// The flags limit memory: by default, V8 lets the heap of a busy server grow by hundreds of megabytes before it collects
// garbage. The variable makes glibc return every large buffer to the system when it is freed (docs/adr/0010-memory.md).
// Both work only if they are set at start-up. The variable is deleted so that child processes don't inherit it.
//
// This file is plain JavaScript so that an old Node can print the message below.
delete process.env.MALLOC_MMAP_THRESHOLD_;
const requiredMajor = 24;
if (Number(process.versions.node.split('.')[0]) < requiredMajor) {
  process.stderr.write(
    `attribution requires Node ${requiredMajor} or newer, but this is ${process.version}.\n` +
      'Run it through npm in the checkout, which includes the right version: `npm start`, or `npx attribution …`.\n' +
      `If you did, Node ${requiredMajor} was not installed with the packages. Run \`npm ci\` without --omit=optional, or install Node ${requiredMajor}.\n`,
  );
  process.exit(1);
}
const { enableCompileCache } = await import('node:module');
const { fileURLToPath } = await import('node:url');
// The compile cache is in the checkout, which has the same write permissions as the code itself. Cached code is executed, so a
// folder that every user can write to, such as /tmp, would not be safe. If the folder is not writable (a read-only image,
// another user's checkout), there is no cache. NODE_COMPILE_CACHE overrides the folder.
enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url)));
// The first process of a container ignores signals that have no handler. These handlers end it, as the signals would
// end any other process, unless the command has its own handler: `serve` finishes its requests first.
if (process.pid === 1)
  for (const [signal, code] of Object.entries({ SIGINT: 130, SIGTERM: 143 }))
    process.on(signal, () => process.listenerCount(signal) > 1 || process.exit(code));
const { runCommand } = await import('../src/main.ts');
process.exitCode = await runCommand(process.argv.slice(2), {
  environment: process.env,
  stdin: () => process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
});
