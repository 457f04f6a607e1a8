#!/usr/bin/env -S MALLOC_MMAP_THRESHOLD_=131072 node --max-semi-space-size=16 --heap-growing-percent=40
// The flags keep memory small: left alone, V8 lets the heap of a busy server grow by hundreds of megabytes
// before it looks for garbage; the variable has glibc give every large buffer back when it is freed (docs/adr/0010-memory.md).
// They only work from the first moment on, and the variable is for this process, not for those that it starts.
//
// Plain JavaScript on purpose: an old Node must get as far as this message.
delete process.env.MALLOC_MMAP_THRESHOLD_;
const wanted = 24;
if (Number(process.versions.node.split('.')[0]) < wanted) {
  process.stderr.write(
    `attribution needs Node ${wanted} or newer, and this is ${process.version}.\n` +
      'Run it through npm in the checkout, which brings the right one along: `npm start`, or `npx attribution …`.\n' +
      `If you did, Node ${wanted} was left out when packages were installed: run \`npm ci\` without --omit=optional, or install Node ${wanted}.\n`,
  );
  process.exit(1);
}
const { enableCompileCache } = await import('node:module');
const { fileURLToPath } = await import('node:url');
// Compiled code is kept beside the program, where only who may change the program may change it: what is read
// back is run, so that a folder anybody can write to, such as /tmp, would not do. One file a module; where it
// cannot be written (a read-only image, another user's checkout) there is none. NODE_COMPILE_CACHE names another.
enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url)));
// The first process of a container does not hear a signal that it has no handler for. As any other, it is to end by
// one, unless somebody else has seen to it: `serve` answers what was asked first.
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
