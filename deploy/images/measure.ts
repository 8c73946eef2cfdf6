/**
 * `npm run images`: builds the images of all processes into folders. Starts the suite once from its sources and once from
 * the images, and compares both. Prints the table, and writes it to docs/operations/results/images.md.
 */
import { cpSync, globSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { engineFlags, runtime } from '../local/src/environment.ts';
import { ROOT, type SuiteOptions } from '../local/src/plan.ts';
import { type ProcessRow, processes } from '../local/src/processes.ts';
import { startSuite } from '../local/src/suite.ts';
import { type BuiltImage, buildImage } from './fixtures/built-image.ts';
import { run } from './fixtures/running-images.ts';
import { measuredOn, measureProcesses, type ProcessMeasurement } from './measurement.ts';

const MB = 1e6;
const RESULTS = join(ROOT, 'docs/operations/results/images.md');

/** An image, and the code that is compiled while it is built, as in the Dockerfile. */
interface CompiledImage extends BuiltImage {
  /** The folder of the compiled code. */
  compiled: string;
  compiled_bytes: number;
}

async function build({ name, service }: ProcessRow, place: string): Promise<CompiledImage> {
  const image = await buildImage(ROOT, service?.directory ?? 'gateway', join(place, 'images', name));
  const compiled = join(image.app, '.cache');
  const environment = { ...runtime(ROOT), NODE_COMPILE_CACHE: compiled };
  for (const program of globSync('dist/{main,press}.js', { cwd: image.cwd }).toSorted())
    run(image.cwd, [...engineFlags, program], environment);
  const files = globSync('**', { cwd: compiled, withFileTypes: true }).filter((entry) => entry.isFile());
  const bytes = files.map((entry) => statSync(join(entry.parentPath, entry.name)).size);
  return { ...image, compiled, compiled_bytes: bytes.reduce((sum, each) => sum + each, 0) };
}

/** Measures a suite of its own. */
async function measureSuite(options: SuiteOptions, rounds: number): Promise<Map<string, ProcessMeasurement>> {
  const suite = await startSuite({ ...options, port: 'free', demo: false, fast: true });
  try {
    return await measureProcesses(suite, rounds);
  } finally {
    await suite.stop();
  }
}

/** Returns the row of a process that runs from its image. */
function rowOf(row: ProcessRow, { cwd }: CompiledImage): ProcessRow {
  const service = row.service && { ...row.service, directory: cwd };
  return { ...row, entry: join(cwd, 'dist/main.js'), ...(service && { service }) };
}

const change = (before: number, after: number): string => `${Math.round(before)} → ${Math.round(after)}`;

interface Comparison {
  name: string;
  image: CompiledImage;
  before: ProcessMeasurement;
  after: ProcessMeasurement;
}

/** Returns the size of an image in bytes, without Node.js and fonts. */
const ownSize = ({ sizes: { libraries, code }, compiled_bytes }: CompiledImage): number =>
  libraries + code + compiled_bytes;

/** Returns the line of a process in the table. */
function line({ name, image, before, after }: Comparison): string {
  const values = (['start_ms', 'resident_mib', 'private_mib'] as const).map((key) => change(before[key], after[key]));
  return `| ${[name, (ownSize(image) / MB).toFixed(0), (image.sizes.fonts / MB).toFixed(0), ...values].join(' | ')} |`;
}

/** The goals: names, and whether a process meets it. */
const GOALS: Readonly<Record<string, (compared: Comparison) => boolean>> = {
  image: ({ name, image }) => ownSize(image) / MB <= (name === 'gateway' ? 40 : 60),
  start: ({ after }) => after.start_ms <= 450,
  'resident memory': ({ after }) => after.resident_mib <= 85,
};

/** Returns how many processes meet each goal, such as `image 8 of 8, start 7 of 8`. */
const met = (compared: readonly Comparison[]): string =>
  Object.entries(GOALS)
    .map(([goal, isMet]) => `${goal} ${compared.filter(isMet).length} of ${compared.length}`)
    .join(', ');

function page(compared: readonly Comparison[], rounds: number): string {
  return [
    '# Images: size, start and memory',
    '',
    'Written by `npm run images`, which runs each process once from its sources and once from its image.',
    '',
    '- **Image**: size in addition to `node:24-slim`, without the layer of fonts. Goals: gateway 40 MB, service 60 MB.',
    '- **Fonts**: size of that layer. Images with the same fonts share it.',
    `- **Start**: processor time until the process is ready, with compiled code available; the median of ${rounds} starts. Goal: 450 ms.`,
    '- **Resident**, **Private**: resident and anonymous memory, 20 s after the start. Goal for the resident memory: 85 MiB.',
    '',
    `An arrow leads from the process without an image to the process from its image. Goals met: ${met(compared)}.`,
    '',
    '| Process | Image, MB | Fonts, MB | Start, ms | Resident, MiB | Private, MiB |',
    '|---|---|---|---|---|---|',
    ...compared.map(line),
    '',
    measuredOn(),
    'PostgreSQL, NATS and all processes share the machine. Processor time grows with the load of the machine, ' +
      `which had a load average of ${Math.round(loadavg()[1]!)}.`,
    '',
  ].join('\n');
}

async function measure(place: string, rounds: number): Promise<string> {
  const images = new Map<string, CompiledImage>();
  for (const row of processes) images.set(row.name, await build(row, place));
  const compiled = join(place, 'compiled');
  for (const image of images.values()) cpSync(image.compiled, compiled, { recursive: true });
  const before = await measureSuite({ data: join(place, 'before') }, rounds);
  const rows = processes.map((row) => rowOf(row, images.get(row.name)!));
  const environment = { NODE_COMPILE_CACHE: compiled };
  const after = await measureSuite({ data: join(place, 'after'), rows, environment }, rounds);
  const compared = processes.map(({ name }) => ({
    name,
    image: images.get(name)!,
    before: before.get(name)!,
    after: after.get(name)!,
  }));
  return page(compared, rounds);
}

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '5' } } });
const place = mkdtempSync(join(tmpdir(), 'suite-images-'));
try {
  if (!/^[1-9]\d?$/.test(values.rounds))
    throw new Error(`--rounds must be a whole number from 1 to 99, not "${values.rounds}".`);
  const results = await measure(place, Number(values.rounds));
  mkdirSync(dirname(RESULTS), { recursive: true });
  writeFileSync(RESULTS, results);
  console.log(results);
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
} finally {
  rmSync(place, { recursive: true, force: true });
}
