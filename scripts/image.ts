import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import {
  baseImage,
  buildImage,
  completeContext,
  compressedMegabytes,
  copyToDocker,
  nameOf,
  variants,
} from './image/build-image.ts';
import { makeBase } from './image/make-base.ts';
import { canRun, machines } from './image/run.ts';
import { stageProgram } from './image/stage-program.ts';
import { tryImages } from './image/try-image.ts';

/**
 * Builds the images of deploy/Containerfile from Debian and npm packages only, and checks the images' size
 * (docs/containers.md).
 */
const { values } = parseArgs({
  options: {
    arch: { type: 'string', multiple: true },
    base: { type: 'string' },
    context: { type: 'string' },
    try: { type: 'boolean', default: false },
  },
});
const requested =
  values.arch ?? machines.filter(({ node }) => node === process.arch).map(({ debian }) => debian);
const chosen = machines.filter(({ debian }) => requested.includes(debian));
if (chosen.length === 0 || chosen.length !== requested.length)
  throw new Error(`--arch must be ${machines.map(({ debian }) => debian).join(' or ')}`);
if (values.context !== undefined && (chosen.length > 1 || existsSync(values.context)))
  throw new Error('--context must name a folder that does not exist yet, and needs exactly one --arch');
if (!existsSync('packages/web/dist/index.html'))
  throw new Error('the dashboard is not built; run `npm run build:web`');

const print = (line: string): void => void process.stdout.write(`${line}\n`);
const folder = mkdtempSync(join(tmpdir(), 'attribution-image-'));
try {
  for (const machine of chosen) {
    const work = join(folder, machine.debian);
    const context = values.context === undefined ? join(work, 'context') : resolve(values.context);
    mkdirSync(context, { recursive: true });
    print(`${machine.debian}: Debian's packages …`);
    const made = makeBase(machine, work);
    print(`${machine.debian}: npm's packages …`);
    stageProgram(machine, context);
    completeContext(context, made.shell);
    if (values.context !== undefined) {
      print(`Build it with: docker build --build-arg BASE=… --target attribution ${values.context}`);
      continue;
    }
    const base = values.base ?? baseImage(made.root, machine);
    for (const variant of variants) {
      const name = buildImage(variant, machine, { base, context });
      const megabytes = compressedMegabytes(name, work);
      print(`${name}: ${megabytes.toFixed(1)} MB compressed, of at most ${variant.maxMegabytes} MB`);
      if (megabytes > variant.maxMegabytes) {
        process.stderr.write(`${name} exceeds its limit of ${variant.maxMegabytes} MB\n`);
        process.exitCode = 1;
      }
      if (machine.node === process.arch) print(`  for Docker: ${copyToDocker(variant)}`);
    }
    const [alone, withPostgresql] = variants.map((variant) => nameOf(variant, machine));
    if (!values.try || alone === undefined || withPostgresql === undefined) continue;
    if (canRun(machine)) await tryImages({ alone, withPostgresql }, print);
    else print(`${machine.debian}: not tested, because this machine can't run its programs`);
  }
} finally {
  rmSync(folder, { recursive: true });
}
