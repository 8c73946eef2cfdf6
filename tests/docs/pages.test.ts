/** Checks the pages for readers: their links work, and the facts that they repeat match the code. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (name: string) => readFileSync(join(root, name), 'utf8');
const pages = globSync(['*.md', 'docs/*.md', 'tools/bench/*.md'], { cwd: root }).toSorted();

/** Returns the relative links of a page, without the part after `#`. */
function linksOf(page: string): string[] {
  const found = [...read(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link.split('#')[0]!);
  return found.filter((link) => link !== '' && !/^https?:/.test(link));
}

/** Returns the anchor of a heading, as GitHub generates it. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');

describe('the pages', () => {
  test('exist for each kind of reader', () => {
    const wanted = ['CONTRIBUTING', 'README', 'SECURITY', 'STYLE', 'docs/architecture', 'docs/frontend'];
    wanted.push('docs/decisions', 'docs/glossary', 'docs/integrating', 'docs/operating');
    expect(pages).toEqual(expect.arrayContaining(wanted.map((name) => `${name}.md`)));
  });

  test('link to files that exist', () => {
    const broken = pages.flatMap((page) =>
      linksOf(page)
        .filter((link) => !existsSync(join(root, dirname(page), link)))
        .map((link) => `${page}: ${link}`),
    );
    expect(broken).toEqual([]);
  });

  test('link to headings that exist', () => {
    const broken = pages.flatMap((page) => {
      const anchors = [...read(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading));
      const links = [...read(page).matchAll(/\]\(#([^)]+)\)/g)].map(([, anchor = '']) => anchor);
      return links.filter((anchor) => !anchors.includes(anchor)).map((anchor) => `${page}: ${anchor}`);
    });
    expect(broken).toEqual([]);
  });

  test('quote square brackets in URLs from curl, which expands them', () => {
    const commands = pages.flatMap((page) => read(page).match(/^.*curl .*\?\S*\[.*$/gm) ?? []);
    expect(commands.filter((command) => !/curl -\w*g/.test(command))).toEqual([]);
  });

  test('name scripts that exist', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const guides = pages.filter((page) => page !== 'CHANGELOG.md' && page !== 'docs/decisions.md');
    const named = guides.flatMap((page) =>
      [...read(page).matchAll(/npm run (?:-s )?([\w-]+)(?! -w)/g)].map(([, name]) => name!),
    );
    expect([...new Set(named)].filter((name) => !(name in scripts) && name !== 'measure')).toEqual([]);
  });
});

describe('the pages for client developers', () => {
  const { paths, components } = JSON.parse(read('docs/openapi.json')) as { paths: object; components: object };
  const texts = ['docs/frontend.md', 'docs/integrating.md'].map(read).join('\n');

  /** Returns the names of fields and parameters, the IDs of operations, and the values of enumerations. */
  function* wordsIn(part: unknown): Generator<string> {
    if (typeof part !== 'object' || part === null) return;
    for (const [key, value] of Object.entries(part)) {
      if (key === 'properties') yield* Object.keys(value as object);
      if (key === 'enum') yield* (value as unknown[]).map(String);
      if (key === 'name' || key === 'operationId' || key === 'const') yield String(value);
      yield* wordsIn(value);
    }
  }

  test('name operations that exist', () => {
    const known = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods as object).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const named = [...texts.matchAll(/\b(?:GET|POST|PUT|PATCH|DELETE) \/api\/[^\s`?]*/g)].map(
      ([operation]) => operation,
    );
    expect(named.length).toBeGreaterThan(15);
    expect(named.filter((operation) => !known.includes(operation))).toEqual([]);
  });

  test('name fields, values and error codes that exist', () => {
    const others = ['gte', 'localhost', 'null'];
    const known = new Set([...wordsIn(paths), ...wordsIn(components), ...others]);
    const named = [...texts.matchAll(/`([a-z]+(?:[_.][a-z]+)*)`/g)].map(([, word = '']) => word);
    expect(named.length).toBeGreaterThan(60);
    const isKnown = (word: string) => known.has(word) || word.split('.').every((part) => known.has(part));
    expect([...new Set(named)].filter((word) => !isKnown(word))).toEqual([]);
  });
});

describe('a fact repeated on a page', () => {
  const { dependencies } = JSON.parse(read('package.json')) as { dependencies: Record<string, string> };

  test('matches the version of Node that the suite installs', () => {
    const [major] = dependencies['node']!.split('.');
    expect(read('README.md')).toContain(`its own Node.js ${major} and`);
    expect(read('CONTRIBUTING.md')).toContain(`Node.js ${major},`);
  });

  test('matches the number of connections that the launcher allows', () => {
    const [, connections] = /'max_connections=(\d+)'/.exec(read('deploy/local/src/servers/postgres-settings.ts')) ?? [];
    expect(read('docs/operating.md')).toContain(`\`npm start\` uses ${connections}.`);
  });

  test('has a meaning for each setting of the processes', () => {
    const [, table = ''] = /<!-- settings -->\n(.*?)<!-- \/settings -->/s.exec(read('docs/operating.md')) ?? [];
    const rows = table.trim().split('\n').slice(2);
    expect(rows.length).toBeGreaterThan(25);
    expect(rows.filter((row) => !/ [A-Z`].*\. \|$/.test(row))).toEqual([]);
  });

  test('matches the metrics of the processes', () => {
    const source = read('packages/chassis/src/runtime/metrics.ts');
    const metrics = [...source.matchAll(/(?:name: '|gauge\(\s*'|^ {2})(\w+_\w+)(?:'|: \[)/gm)].map(
      ([, name = '']) => name,
    );
    const alerts = /## Metrics and alerts\n(.*?)\n## /s.exec(read('docs/operating.md'))?.[1] ?? '';
    const named = [...alerts.matchAll(/^\| (`[^|]+`) \|/gm)].flatMap(([, cell = '']) => cell.match(/\w+/g) ?? []);
    expect(named.toSorted()).toEqual(metrics.toSorted());
  });

  test('matches the headers that scripts of other sites can read', () => {
    const [, headers = ''] =
      /'access-control-expose-headers':\s+'([^']+)'/.exec(read('gateway/src/request/browser-headers.ts')) ?? [];
    const page = read('docs/frontend.md').toLowerCase();
    expect(headers.split(', ').filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  });

  test('matches the length of the README: one page', () => {
    expect(read('README.md').split('\n').length).toBeLessThanOrEqual(141);
  });
});
