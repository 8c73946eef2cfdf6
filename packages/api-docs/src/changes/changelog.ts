import type { BreakingChange } from './breaking-changes.ts';

/** Returns the lines of a changelog under a heading, up to the next heading of its level. */
function section(text: string, heading: string): string {
  const rank = heading.split(' ', 1)[0];
  const [, rest = ''] = `\n${text}`.split(`\n${heading}\n`, 2);
  return rest.split(`\n${rank} `, 1)[0] ?? '';
}

/** Returns the changelog's section for the next release. */
const unreleased = (changelog: string): string => section(changelog, '## Unreleased').trim();

/** Returns the words in backticks under "Breaking changes" of the next release. */
function namedBreaks(changelog: string): Set<string> {
  const entry = section(`${unreleased(changelog)}\n`, '### Breaking changes');
  return new Set([...entry.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name));
}

/** Returns the breaking changes that the changelog does not name. */
export function unnamedBreaks(changelog: string, changes: readonly BreakingChange[]): BreakingChange[] {
  const named = namedBreaks(changelog);
  return changes.filter(({ subject }) => !named.has(subject));
}

const partsOf = (version: string): number[] => version.split('.').map(Number);

function isLater(version: string, last: string): boolean {
  const [now, before] = [partsOf(version), partsOf(last)];
  const at = now.findIndex((part, place) => part !== before[place]);
  return at !== -1 && Number(now[at]) > Number(before[at]);
}

/** Returns the changelog after a release. @throws if the version does not reflect the size of the change */
export function releasedChangelog(
  changelog: string,
  { last, version, day }: { last: string; version: string; day: string },
): string {
  if (!isLater(version, last)) throw new Error(`${version} is not later than ${last}.`);
  if (!unreleased(changelog)) throw new Error('The changelog has nothing under "Unreleased".');
  const isMajor = partsOf(version)[0] !== partsOf(last)[0];
  if (!isMajor && unreleased(changelog).includes('### Breaking changes'))
    throw new Error(`Breaking changes require a new major version, not ${version}.`);
  return changelog.replace('## Unreleased\n', `## Unreleased\n\n## ${version} (${day})\n`);
}
