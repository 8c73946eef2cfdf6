/** Makes a release: `node scripts/release.ts <version>`. Only writes files. A person commits them. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { clock } from '@suite/chassis/runtime';
import { releasedChangelog } from '@suite/api-docs';

const root = fileURLToPath(new URL('..', import.meta.url));
const [version = ''] = process.argv.slice(2);
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const run = (program: string, ...args: string[]): void => {
  const { status } = spawnSync(join(root, 'node_modules/.bin', program), args, { cwd: root, stdio: 'inherit' });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} failed.`);
};

const { version: last } = JSON.parse(read('package.json')) as { version: string };
if (version !== last) {
  const day = clock.now().toISOString().slice(0, 10);
  writeFileSync(join(root, 'CHANGELOG.md'), releasedChangelog(read('CHANGELOG.md'), { last, version, day }));
  for (const path of ['package.json', 'package-lock.json'])
    writeFileSync(
      join(root, path),
      read(path).replaceAll(/(?<="name": "suite",\s+"version": )"[\d.]+"/g, `"${version}"`),
    );
  const recipe = read('deploy/docker/Dockerfile');
  writeFileSync(join(root, 'deploy/docker/Dockerfile'), recipe.replace(/(?<=image\.version=)"[\d.]+"/, `"${version}"`));
  run('node', 'scripts/manifest.ts');
}

rmSync(join(root, 'releases'), { recursive: true, force: true });
mkdirSync(join(root, 'releases', version), { recursive: true });
writeFileSync(join(root, 'releases', version, 'openapi.json.gz'), gzipSync(read('docs/openapi.json'), { level: 9 }));
run('buf', 'build', '-o', join('releases', version, 'proto.binpb'));
console.log(`Release ${version} is in releases/${version}.`);
