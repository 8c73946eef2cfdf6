import { describe, expect, test } from '@jest/globals';
import { findPrograms, rewrite } from './references.ts';

const PATH = 'services/hr/src/time/holidays.ts';
const rewritten = (text: string, program?: string) => rewrite(text, PATH, program);

describe('a module in a bundle', () => {
  test('starts its programs from the folder of the bundle', () => {
    const text = "new Worker(new URL('./reading.ts', import.meta.url))";
    expect(rewritten(text).text).toBe("new Worker(new URL('./reading.js', import.meta.url))");
    expect(findPrograms(text, PATH)).toEqual({ programs: ['services/hr/src/time/reading.ts'], libraries: [] });
  });

  test('reads its files from their copies, also by a computed name and above its folder', () => {
    const packs = rewritten('read(new URL(`./packs/${code}.json`, import.meta.url))');
    expect(packs.text).toBe('read(new URL(`./files/services/hr/src/time/packs/${code}.json`, import.meta.url))');
    expect(packs.files).toEqual(['services/hr/src/time/packs/*.json']);
    const version = rewritten("read(new URL('../../../../package.json', import.meta.url))");
    expect(version.text).toBe('read(new URL(`./files/package.json`, import.meta.url))');
    expect(version.files).toEqual(['package.json']);
  });

  test('loads late libraries from the bundle, and looks up files of packages', () => {
    const text = [
      'const require = createRequire(import.meta.url);',
      "const csv = () => require('csv-parse/sync');",
      "const font = require.resolve('a-font/package.json');",
    ].join('\n');
    expect(rewritten(text).text).toContain("require('./library-csv-parse-sync.js')");
    expect(rewritten(text).resolved).toEqual(['a-font/package.json']);
    expect(findPrograms(text, PATH).libraries).toEqual(['csv-parse/sync']);
  });

  test('runs as a program only if the process was started with its file', () => {
    const text = 'if (import.meta.main) run();';
    expect(rewritten(text).text).toBe('if (false) run();');
    expect(rewritten(text, 'migrate').text).toBe(
      'if ((process.argv[1] === `${import.meta.dirname}/migrate.js`)) run();',
    );
  });

  test.each([
    ['const path = new URL(name, import.meta.url);', 'reads a file that the bundle would not contain'],
    ['const path = join(import.meta.dirname, name);', 'reads a file that the bundle would not contain'],
    ['const path = join(__dirname, name);', 'reads a file that the bundle would not contain'],
    ['const module = await import(name);', 'imports a module that the bundle would not contain'],
  ])('is rejected with a sentence for "%s"', (text, sentence) => {
    expect(() => rewritten(text)).toThrow(`${PATH} ${sentence} (${text})`);
  });
});
