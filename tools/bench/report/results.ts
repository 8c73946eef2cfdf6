/** The results page of the benchmark and the ten rows in the README. */
import { readFile, writeFile } from 'node:fs/promises';
import { availableParallelism, cpus, totalmem } from 'node:os';
import { withConnection } from '../fixture/connect.ts';
import { type Figure, isMet } from './figure.ts';

export interface Machine {
  cpu: string;
  cores: number;
  memory_gib: number;
  node: string;
  postgres: string;
}

/** Returns a description of the machine. */
export async function describeMachine(database_url: string): Promise<Machine> {
  const { rows } = await withConnection(database_url, (client) =>
    client.query<{ server_version: string }>('SHOW server_version'),
  );
  return {
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cores: availableParallelism(),
    memory_gib: Math.round(totalmem() / 2 ** 30),
    node: process.versions.node,
    postgres: rows[0]?.server_version.split(' ')[0] ?? 'unknown',
  };
}

const BEGIN = '<!-- bench -->';
const END = '<!-- /bench -->';

const formatFigure = (value: number, unit: Figure['unit']): string =>
  unit === 'MiB' ? `${Math.round(value)} MiB` : `${value.toFixed(2)} ${unit}`.trim();

function row(figure: Figure): string {
  const { title, value, unit, target } = figure;
  const wanted = 'at_least' in target ? `≥ ${target.at_least}` : `≤ ${target.at_most}`;
  return `| ${title} | ${formatFigure(value, unit)} | ${`${wanted} ${unit}`.trim()} | ${isMet(figure) ? 'yes' : 'no'} |`;
}

/** Returns the results page: the whole table, with the machine. */
export function resultsPage(figures: readonly Figure[], { cpu, cores, memory_gib, node, postgres }: Machine): string {
  return [
    INTRODUCTION,
    '| Metric | Measured | Target | Met |',
    '|---|---|---|---|',
    ...figures.map(row),
    '',
    `Measured on ${cpu}, ${cores} cores, ${memory_gib} GiB; Node ${node}, PostgreSQL ${postgres} (flushing to disk).`,
    'The load generator, PostgreSQL and all processes share the machine.',
    '',
  ].join('\n');
}

const INTRODUCTION = `# Benchmark results

Written by \`npm run bench\`. Each metric is a ratio to a baseline of the same run, so that the machine has little influence.
Operations are compared with [the bare stack](../bare-stack/src/main.ts): express and Prisma behind express and http-proxy-middleware. It writes the
business rows only: no audit log, events, idempotency, confinement or permissions. [DIRECTUS.md](DIRECTUS.md) compares lists with Directus.
`;

/** The ten rows of the README: names of metrics, and their text in the README. */
const HIGHLIGHTS: ReadonlyArray<readonly [figure: string, words: string]> = [
  ['lead-list', 'List 20 of 10,000 leads, filtered and sorted'],
  ['customer-list', 'List 20 of 10,000 customers, filtered and sorted'],
  ['customer-page', 'List page 496 of 10,000 customers'],
  ['ticket-list', 'List 20 of 10,000 tickets, filtered and sorted'],
  ['task-board', 'Get a board of 10,000 tasks'],
  ['customer-show', 'Get a customer'],
  ['lead-create', 'Create a lead'],
  ['ticket-create', 'Create a ticket'],
  ['invoice-create', 'Create an invoice with ten lines'],
  ['invoice-post', 'Post an invoice with ten lines and stock'],
];

/** Returns the table for the README. */
export function highlights(figures: readonly Figure[]): string {
  const rows = HIGHLIGHTS.flatMap(([name, words]) =>
    figures
      .filter(({ figure }) => figure === name)
      .map(({ value, unit }) => `| ${words} | ${formatFigure(value, unit)} |`),
  );
  return ['| Operation through the gateway | Throughput, relative to the bare stack |', '|---|---|', ...rows].join(
    '\n',
  );
}

/** Replaces the table between the markers of a README. @throws if the README has no markers */
export async function writeHighlights(file: string, text: string): Promise<void> {
  const readme = await readFile(file, 'utf8');
  const [begin, end] = [readme.indexOf(BEGIN), readme.indexOf(END)];
  if (begin < 0 || end < begin) throw new Error(`${file} has no markers ${BEGIN} … ${END} for the table.`);
  await writeFile(file, `${readme.slice(0, begin + BEGIN.length)}\n${text}\n${readme.slice(end)}`);
}
