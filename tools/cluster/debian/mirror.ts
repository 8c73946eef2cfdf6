/** The Debian mirror of the machine, read from the sources of apt. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A release of Debian or a name that follows releases, without additions such as `-security`. */
const RELEASE = /^(?:bullseye|bookworm|trixie|forky|sid|oldstable|stable|testing|unstable)$/;

/** Returns the mirror of a one-line source: `deb [options] http://… trixie main`. */
function mirrorInLine(line: string): string | undefined {
  const words = line.trim().split(/\s+/);
  if (words.shift() !== 'deb') return undefined;
  if (words[0]?.startsWith('[')) words.splice(0, words.findIndex((word) => word.endsWith(']')) + 1);
  const [uri, release = '', ...components] = words;
  return RELEASE.test(release) && components.includes('main') ? uri : undefined;
}

/** Returns the mirror of a paragraph with fields: `URIs: http://…`, `Suites: trixie`, `Components: main`. */
function mirrorInParagraph(paragraph: string): string | undefined {
  const field = (name: string) =>
    (new RegExp(`^${name}:[ \\t]*(\\S.*)$`, 'im').exec(paragraph)?.[1] ?? '').trim().split(/\s+/);
  if (!field('Types').includes('deb') || field('Enabled')[0] === 'no') return undefined;
  const isDebian = field('Suites').some((suite) => RELEASE.test(suite)) && field('Components').includes('main');
  return isDebian ? field('URIs')[0] : undefined;
}

/** Returns the first mirror of Debian in the text of a source file. @param name decides the format: `.list` or `.sources` */
export function mirrorIn(name: string, text: string): string | undefined {
  const [parts, read] = name.endsWith('.sources')
    ? [text.split(/\n\s*\n/), mirrorInParagraph]
    : [text.split('\n'), mirrorInLine];
  return parts.map(read).find(Boolean);
}

/** Returns the Debian mirror in the sources of apt in a folder, or undefined. */
export function machineMirror(folder = '/etc/apt'): string | undefined {
  const more = join(folder, 'sources.list.d');
  const files = [
    join(folder, 'sources.list'),
    ...(existsSync(more) ? readdirSync(more).toSorted() : []).map((name) => join(more, name)),
  ].filter((file) => /\.(?:list|sources)$/.test(file) && existsSync(file));
  return files.map((file) => mirrorIn(file, readFileSync(file, 'utf8'))).find(Boolean);
}
