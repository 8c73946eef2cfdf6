/** The catalogue of error codes, to which every error leads, holds every code that the sources can answer with. */
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
  // Examples in comments are no errors.
  .replaceAll(/^\s*\*.*$/gm, '');

test('every code that is spelled out in the sources is in the catalogue', () => {
  const makers = /(?:\bfault|new Fault|new GatewayFault|\bwrong)\(\s*\d{3},\s*'(\w+)'/g;
  const codes = [...sources.matchAll(makers)].map(([, code]) => code!);
  expect(codes.length).toBeGreaterThan(50);
  expect(codes.filter((code) => !anchors.has(code))).toEqual([]);
});

test('every code says what it means', () => {
  for (const [section] of page.matchAll(/<section id=.*?<\/section>/gs)) expect(section).toMatch(/<p>[^<]{10,}<\/p>/);
});
