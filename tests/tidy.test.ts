import { describe, expect, test } from '@jest/globals';
import { areas } from './tidy/folders/areas.ts';
import { escapes } from './tidy/escapes.ts';
import { expressions } from './tidy/expressions.ts';
import { exportRules } from './tidy/exports.ts';
import { functionRules } from './tidy/functions.ts';
import { language } from './tidy/texts/language.ts';
import { nameRules } from './tidy/names.ts';
import { rooms } from './tidy/folders/rooms.ts';
import { pageCalls } from './tidy/texts/page-calls.ts';
import { operations } from './tidy/routes.ts';
import { repository, type Violation } from './tidy/rule.ts';
import { services } from './tidy/services.ts';
import { stateRules } from './tidy/states.ts';
import { tenancy } from './tidy/tenancy.ts';
import { walls } from './tidy/walls.ts';
import { workedExamples } from './tidy/texts/worked-examples.ts';

const rules = [
  ...rooms,
  ...areas,
  ...walls,
  ...operations,
  ...exportRules,
  ...nameRules,
  ...language,
  ...escapes,
  ...expressions,
  pageCalls,
  ...tenancy,
  ...functionRules,
  ...services,
  ...stateRules,
  ...workedExamples,
];
const files = repository();

const written = ({ path, line, message }: Violation): string => `${path}${line ? `:${line}` : ''} ${message}`;

describe('the repository is tidy', () => {
  test.each(rules)('$name', ({ check }) => {
    expect(check(files).map(written)).toEqual([]);
  });
});

describe('the rule can fail', () => {
  test.each(rules)('$name', ({ check, broken }) => {
    expect(broken.length).toBeGreaterThan(0);
    for (const repositoryInMiniature of broken) expect(check(repositoryInMiniature)).not.toEqual([]);
  });
});

test('the rules cover the whole repository', () => {
  const paths = files.map(({ path }) => path);
  expect(paths).toEqual(expect.arrayContaining(['package.json', 'STYLE.md', 'tests/tidy.test.ts', 'scripts/test.mjs']));
  expect(paths.filter((path) => /node_modules|\/generated\/|packages\/proto\/src/.test(path))).toEqual([]);
});
