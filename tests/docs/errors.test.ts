/** Checks that the error catalogue contains every code in the sources. Every error links to the catalogue. */
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';

const root = fileURLToPath(new URL('../..', import.meta.url));
const page = readFileSync(`${root}docs/errors.html`, 'utf8');
const anchors = new Set([...page.matchAll(/<section id="([\w-]+)">/g)].map(([, code]) => code));
const sources = globSync(['gateway/src/**/*.ts', 'services/*/src/**/*.ts', 'packages/chassis/src/**/*.ts'], {
  cwd: root,
})
  .filter((file) => !/\.test\.ts$|generated/.test(file))
  .map((file) => readFileSync(`${root}${file}`, 'utf8'))
  .join('\n')
  // Examples in comments are not errors.
  .replaceAll(/^\s*\*.*$/gm, '');

test('every code that appears in the sources is in the catalogue', () => {
  const makers = /(?:\bfault|new Fault|new GatewayFault|\bwrong)\(\s*\d{3},\s*'(\w+)'/g;
  const codes = [...sources.matchAll(makers)].map(([, code]) => code!);
  expect(codes.length).toBeGreaterThan(50);
  expect(codes.filter((code) => !anchors.has(code))).toEqual([]);
});

test('every code has an explanation', () => {
  for (const [section] of page.matchAll(/<section id=.*?<\/section>/gs)) expect(section).toMatch(/<p>[^<]{10,}<\/p>/);
});
