/**
 * Checks the subjects of the last 50 commits, from the commit that added this check: `scope: imperative summary`, at
 * most 72 characters. Passes if there is no history, such as in an unpacked archive.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './command.mjs';

const MOST_CHARACTERS = 72;
const MOST_COMMITS = 50;
/** Scopes that are neither a service nor a package. */
const AREAS = [
  'bench',
  'deploy',
  'deps',
  'docs',
  'gateway',
  'launcher',
  'model',
  'releases',
  'scripts',
  'services',
  'suite',
  'tests',
  'tidy',
  'tools',
];
/** Verbs that describe no change. */
const VAGUE = /^(?:let|give|say|tell|keep)\b/i;

const namesIn = (folder) => (existsSync(join(root, folder)) ? readdirSync(join(root, folder)) : []);
const scopes = new Set([...AREAS, ...namesIn('services'), ...namesIn('packages')]);

/** The faults of a subject, each as a phrase. */
export function subjectFaults(subject) {
  const [, named, summary] = /^([a-z][a-z0-9, -]*): (.+)$/.exec(subject) ?? [];
  if (!summary) return ['has no scope: write "scope: imperative summary"'];
  const unknown = named.split(', ').filter((scope) => !scopes.has(scope));
  return [
    ...unknown.map((scope) => `has the unknown scope "${scope}"`),
    ...(subject.length > MOST_CHARACTERS ? [`has ${subject.length} characters, more than ${MOST_CHARACTERS}`] : []),
    ...(/^[A-Z][a-z]/.test(summary) ? ['begins with a capital'] : []),
    ...(summary.endsWith('.') ? ['ends with a full stop'] : []),
    ...(VAGUE.test(summary) ? ['begins with a vague verb'] : []),
  ];
}

const git = (...args) => spawnSync('git', args, { cwd: root, encoding: 'utf8' }).stdout?.trim() ?? '';

function subjects() {
  const first = git('log', '--diff-filter=A', '--format=%H', '--', 'scripts/commits.mjs').split('\n').at(-1);
  if (!first) return [];
  return git('log', '--no-merges', `-${MOST_COMMITS}`, '--format=%s', `${first}^..HEAD`).split('\n').filter(Boolean);
}

if (process.argv[1]?.endsWith('commits.mjs')) {
  const found = subjects().flatMap((subject) => subjectFaults(subject).map((fault) => `"${subject}" ${fault}.`));
  for (const line of found) console.error(line);
  process.exitCode = found.length > 0 ? 1 : 0;
}
