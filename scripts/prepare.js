// What npm runs at the end of `npm ci`: it builds the dashboard, or says why not and what to do. It never fails an installation
// that the service itself can run on.
//
// Plain JavaScript on purpose: where optional packages were left out, npm runs it on the machine's own Node.
const wanted = 24;
if (Number(process.versions.node.split('.')[0]) < wanted)
  process.stdout.write(
    `Node ${wanted} wasn't installed, because optional packages were left out, and this is ${process.version}. ` +
      `Run \`npm ci\` without --omit=optional, or install Node ${wanted} and run \`npm run build:web\`.\n`,
  );
else await import('./build-web.ts');
