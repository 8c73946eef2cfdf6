import { execFileSync } from 'node:child_process';
import { expect, test } from '@jest/globals';

const LOADED = `
  await import(process.argv[1]);
  console.log(process.moduleLoadList.filter((name) => /undici|NativeModule http$|_http_server/.test(name)).join());`;
const loadedBy = (module: string): string =>
  execFileSync(process.execPath, ['--input-type=module', '-e', LOADED, module], { encoding: 'utf8' });

test("serves HTTP without loading Node's HTTP client", () => {
  const loaded = loadedBy(new URL('../start.ts', import.meta.url).href);
  expect(loaded).toContain('_http_server');
  expect(loaded).not.toContain('undici');
  expect(loadedBy('node:http')).toContain('undici');
});
