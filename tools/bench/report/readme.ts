/** The table of figures in the README, with the machine that they were measured on. */
import { readFile, writeFile } from 'node:fs/promises';
import { availableParallelism, cpus, totalmem } from 'node:os';
import { connected } from '../fixture/connect.ts';
import { type Figure, isMet } from './figure.ts';

export interface Machine {
  cpu: string;
  cores: number;
  memory_gib: number;
  node: string;
  postgres: string;
}

/** The machine that the bench ran on. */
export async function describeMachine(database_url: string): Promise<Machine> {
  const { rows } = await connected(database_url, (client) =>
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

const shown = (value: number, unit: Figure['unit']): string =>
  unit === 'MiB' ? `${Math.round(value)} MiB` : `${value.toFixed(2)} ${unit}`.trim();

function row(figure: Figure): string {
  const { title, value, unit, target } = figure;
  const wanted = 'at_least' in target ? `≥ ${target.at_least}` : `≤ ${target.at_most}`;
  return `| ${title} | ${shown(value, unit)} | ${`${wanted} ${unit}`.trim()} | ${isMet(figure) ? 'yes' : 'no'} |`;
}

/** The table between the markers. */
export function table(figures: readonly Figure[], { cpu, cores, memory_gib, node, postgres }: Machine): string {
  return [
    '| Figure | Measured | Target | Met |',
    '|---|---|---|---|',
    ...figures.map(row),
    '',
    `Measured by \`npm run bench\` on ${cpu}, ${cores} cores, ${memory_gib} GiB; Node ${node}, PostgreSQL ${postgres} (flushing to disk). The load, PostgreSQL and all processes share the machine.`,
  ].join('\n');
}

/** Puts the table into a README. @throws when it has no place for it */
export async function writeTable(file: string, text: string): Promise<void> {
  const readme = await readFile(file, 'utf8');
  const [begin, end] = [readme.indexOf(BEGIN), readme.indexOf(END)];
  if (begin < 0 || end < begin) throw new Error(`${file} has no ${BEGIN} … ${END} to write the figures into.`);
  await writeFile(file, `${readme.slice(0, begin + BEGIN.length)}\n${text}\n${readme.slice(end)}`);
}
