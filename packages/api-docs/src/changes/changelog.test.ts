import { describe, expect, test } from '@jest/globals';
import { releasedChangelog, unnamedBreaks } from './changelog.ts';

const changelog = (next: string): string =>
  `# Changelog\n\n## Unreleased\n${next}\n## 1.0.0 (2026-11-22)\n\n- All of it.\n`;
const release = (next: string, version: string): string =>
  releasedChangelog(changelog(next), { last: '1.0.0', version, day: '2026-12-01' });

describe('a release', () => {
  test('contains the unreleased changes under its version and date', () => {
    expect(release('\n- Leads are archived.\n', '1.1.0')).toContain(
      '## Unreleased\n\n## 1.1.0 (2026-12-01)\n\n- Leads are archived.\n\n## 1.0.0 (2026-11-22)\n',
    );
  });

  test.each(['1.0.0', '0.9.9', '0.10.0'])('has a later version than the last one, unlike %s', (version) => {
    expect(() => release('\n- Leads are archived.\n', version)).toThrow(`${version} is not later than 1.0.0`);
  });

  test('is not empty', () => {
    expect(() => release('', '1.1.0')).toThrow('nothing under "Unreleased"');
  });

  test('needs a new major version if it has breaking changes', () => {
    const next = '\n### Breaking changes\n\n- `GET /api/leads` was removed.\n';
    expect(() => release(next, '1.1.0')).toThrow('Breaking changes require a new major version');
    expect(release(next, '2.0.0')).toContain('## 2.0.0 (2026-12-01)\n\n### Breaking changes');
  });
});

test('requires each breaking change under the heading of the next release', () => {
  const changes = [{ subject: 'GET /api/leads', sentence: 'was removed' }];
  const named = '### Breaking changes\n\n- `GET /api/leads` was removed.\n';
  expect(unnamedBreaks(changelog(`\n${named}`), changes)).toEqual([]);
  expect(unnamedBreaks(changelog('\n- `GET /api/leads` was removed.\n'), changes)).toEqual(changes);
  expect(unnamedBreaks(changelog('\n- Others.\n') + named, changes)).toEqual(changes);
  expect(unnamedBreaks(changelog(`\n${named}\n### Other changes\n`), changes)).toEqual([]);
});
