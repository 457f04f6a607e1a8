// Runs at the end of `npm ci`. Builds the dashboard, or prints why it can't and what to do. It never fails an installation
// on which the service itself can run.
//
// This is plain JavaScript because npm runs it on the machine's own Node if optional packages were omitted.
const wanted = 24;
if (Number(process.versions.node.split('.')[0]) < wanted)
  process.stdout.write(
    `Node ${wanted} wasn't installed, because optional packages were omitted, and this is Node ${process.version}. ` +
      `Run \`npm ci\` without --omit=optional, or install Node ${wanted} and run \`npm run build:web\`.\n`,
  );
else await import('./build-web.ts');
