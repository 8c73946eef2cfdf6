/** Checks that the error catalogue contains every code in the sources. Every error links to the catalogue. */
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { standardFaults } from '@suite/chassis/declarations';

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

describe('the advice for client developers', () => {
  const sections = [...page.matchAll(/<section id="(\w+)">.*?<\/section>/gs)];
  const advice = new Map(
    sections.map(([section, code = '']) => [code, /<strong>What to do:<\/strong> (.*?)<\/p>/.exec(section)?.[1] ?? '']),
  );

  test('is given for every code and differs from the message', () => {
    expect(sections.filter(([, code = '']) => (advice.get(code) ?? '').length < 20).map(([, code]) => code)).toEqual(
      [],
    );
    const repeated = sections.filter(([section, code = '']) => section.includes(`<p>${advice.get(code)}</p>`));
    expect(repeated.map(([, code]) => code)).toEqual([]);
  });

  test('has sentences of at most 20 words', () => {
    const sentences = [...advice].flatMap(([code, text]) =>
      text
        .replaceAll(/<code>.*?<\/code>/g, 'code')
        .split(/(?<=[.!?]) /)
        .map((sentence) => ({ code, sentence })),
    );
    expect(sentences.filter(({ sentence }) => sentence.split(' ').length > 20)).toEqual([]);
  });

  test('names only operations that exist', () => {
    const { paths } = JSON.parse(readFileSync(`${root}docs/openapi.json`, 'utf8')) as {
      paths: Record<string, Record<string, object>>;
    };
    const named = [...advice].flatMap(([code, text]) =>
      [...text.matchAll(/(GET|POST|PUT|DELETE) (\/api\/[^<?]*)/g)].map(([, method = '', path = '']) => ({
        code,
        method,
        path,
      })),
    );
    expect(named.length).toBeGreaterThan(80);
    expect(named.filter(({ method, path }) => !paths[path]?.[method.toLowerCase()])).toEqual([]);
  });
});

test('contains no code of the example service', () => {
  expect(anchors.has('note_is_done')).toBe(false);
});

test('lists the operations of a code, unless any operation can return it', () => {
  const sections = [...page.matchAll(/<section id="([\w-]+)">.*?<\/section>/gs)];
  const withSentence = sections.filter(([text]) => text.includes('<p>Any operation can return it.</p>'));
  const codes = new Set(standardFaults.map(({ code }) => code));
  expect(withSentence.map(([, code]) => code)).toEqual([...codes].toSorted((one, other) => one.localeCompare(other)));
  expect(withSentence.filter(([text]) => text.includes('<details>'))).toEqual([]);
  expect(sections.filter(([text]) => text.includes('<summary>Returned by')).length).toBeGreaterThan(100);
});

test('every code has an explanation', () => {
  for (const [section] of page.matchAll(/<section id=.*?<\/section>/gs)) expect(section).toMatch(/<p>[^<]{10,}<\/p>/);
});

test('shows messages without the names of fields and permissions', () => {
  const messages = [...page.matchAll(/<section id="(\w+)">.*?<p>([^<]*)<\/p>/gs)];
  expect(messages.length).toBeGreaterThan(150);
  const internal = messages.filter(([, , message = '']) => /`|[a-z]_[a-z]|[a-z]\.[a-z]/.test(message));
  expect(internal.map(([, code]) => code)).toEqual([]);
});
