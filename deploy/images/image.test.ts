/** Images without containers: each is built into a folder outside the repository, and runs there. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Spec, Validation } from '@cyclonedx/cyclonedx-library';
import { afterAll, describe, expect, test } from '@jest/globals';
import { fontNamesOf } from '@suite/testing';
import { acceptInvitation } from '@suite/testing/suite/workspace';
import { waitUntil } from '@suite/testing/waiting';
import { engine, samplePdf } from '../../packages/pdf/test/sample-pdf.ts';
import { temporaryDirectory } from '../local/src/fixtures/programs.ts';
import { processes } from '../local/src/processes.ts';
import { sourcesOf } from './bundle.ts';
import { type BuiltImage, buildImage } from './fixtures/built-image.ts';
import { run, runImages } from './fixtures/running-images.ts';
import { rewrite } from './references.ts';
import { closure } from './workspaces.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const place = temporaryDirectory();
/** A program recognises itself by its path, without symbolic links such as macOS has in `/var`. */
const directory = realpathSync(place.path);
afterAll(() => place.remove());

const MB = 1e6;
/** Limits of fonts, libraries and code, in megabytes. The image adds what V8 has compiled, less than 12 MB. */
const LIMITS = { gateway: { fonts: 0, own: 22 }, service: { fonts: 60, own: 45 } };
/** The programs that an image contains in addition to its process. */
const COMMANDS: Readonly<Record<string, string[]>> = {
  platform: [
    'migrate',
    'prepare',
    'rotate-signing-key',
    'dead-letters',
    'rotate-keys',
    'workspace',
    'plans',
    'white-label',
  ],
  gateway: [],
};
/**
 * The images that are built here: the gateway, the services with the most native code, fonts and worker threads. Each
 * takes seconds, so the others are built by `npm run images` only.
 */
const BUILT = ['gateway', 'platform', 'crm', 'support'];

const folderOf = (name: string): string => processes.find((row) => row.name === name)?.service?.directory ?? name;

const built = new Map<string, Promise<BuiltImage>>();
/** Returns the image of a process. Builds it first if no other test has. */
function imageOf(name: string): Promise<BuiltImage> {
  const image = built.get(name) ?? buildImage(root, folderOf(name), join(directory, name));
  built.set(name, image);
  return image;
}

interface Component {
  name: string;
  group?: string;
}

const packagesIn = (app: string): string[] => {
  const { components } = JSON.parse(readFileSync(join(app, 'sbom.cdx.json'), 'utf8')) as { components: Component[] };
  return components.map(({ group, name }) => (group ? `${group}/${name}` : name));
};

describe.each(processes)('the sources of $name', ({ name }) => {
  test('name all their files and programs in a form that a bundle can rewrite', () => {
    const folder = folderOf(name);
    const sources = sourcesOf(root, closure(root, folder));
    expect(sources).toContain(`${folder}/src/main.ts`);
    for (const path of sources)
      expect(() => rewrite(readFileSync(join(root, path), 'utf8'), path, undefined)).not.toThrow();
  });
});

describe.each(BUILT)('the image of %s', (name) => {
  test('loads all its code, and asks for its settings', async () => {
    const { cwd } = await imageOf(name);
    expect(run(cwd, ['dist/main.js'])).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(new RegExp(`^${name} cannot start: The settings are not right: .* missing\\.\n$`)),
    });
  });

  test('contains its commands and migrations, and no samples, tests or tools', async () => {
    const { contents, app, cwd } = await imageOf(name);
    const { modules } = contents.bundle;
    expect(modules.filter((path) => /\/demo\/|\.test\.ts$|^(?:tests|tools)\//.test(path))).toEqual([]);
    for (const command of COMMANDS[name] ?? ['migrate', 'prepare', 'dead-letters'])
      expect(existsSync(join(cwd, 'dist', `${command}.js`))).toBe(true);
    const migrations = (place: string) => globSync('prisma/**/*.sql', { cwd: place }).toSorted();
    expect(migrations(cwd)).toEqual(migrations(join(root, folderOf(name))));
    const packages = packagesIn(app);
    for (const tool of ['@faker-js/faker', 'jest', 'esbuild', 'prisma', '@prisma/schema-engine-wasm'])
      expect(packages).not.toContain(tool);
    // The gateway has no database.
    expect(packages.some((each) => each.startsWith('@prisma/'))).toBe(name !== 'gateway');
  });

  test('lists every package that it contains in its bill of materials', async () => {
    const { app } = await imageOf(name);
    const packages = packagesIn(app);
    const copied = globSync('node_modules/{@*/*,[!@]*}/package.json', { cwd: app });
    for (const path of copied) expect(packages).toContain(path.slice('node_modules/'.length, -'/package.json'.length));
    expect(packages).toContain('zod');
  });

  test('is small', async () => {
    const { sizes } = await imageOf(name);
    const { fonts, own } = LIMITS[name === 'gateway' ? 'gateway' : 'service'];
    expect(sizes.fonts / MB).toBeLessThanOrEqual(fonts);
    expect((sizes.libraries + sizes.code) / MB).toBeLessThanOrEqual(own);
  });
});

test('the bill of materials of an image is valid', async () => {
  const text = readFileSync(join((await imageOf('platform')).app, 'sbom.cdx.json'), 'utf8');
  expect(await new Validation.JsonStrictValidator(Spec.Version.v1dot6).validate(text)).toBeNull();
});

/** Loads in one process what the image's process loads late: libraries, native packages and modules of workers. */
const LATE = `
import { createRequire } from 'node:module';
const [folder, libraries, modules] = JSON.parse(process.argv[1]);
const require = createRequire(folder + '/dist/main.js');
const loaded = libraries.map((name) => typeof (require(name).default ?? require(name)));
for (const name of modules) loaded.push(typeof (await import(folder + '/dist/' + name)));
console.log(JSON.stringify(loaded));
`;

test.each([
  ['platform', ['sharp', '@node-rs/argon2', './library-stripe.js'], []],
  ['support', ['@resvg/resvg-js', './library-sanitize-html.js'], ['mail-worker.js', 'markdown-worker.js']],
])('%s loads native packages and late libraries from its image', async (name, libraries, modules) => {
  const { cwd } = await imageOf(name);
  const loaded = run(cwd, ['--input-type=module', '-e', LATE, JSON.stringify([cwd, libraries, modules])]);
  expect(loaded).toMatchObject({ status: 0, stderr: '' });
  for (const type of JSON.parse(loaded.stdout) as string[]) expect(['object', 'function']).toContain(type);
});

test('crm prints a PDF in five scripts with the fonts of its image', async () => {
  const { cwd } = await imageOf('crm');
  const press = fork(join(cwd, 'dist/press.js'), { serialization: 'advanced', env: {} });
  try {
    const lines = ['Übersicht', 'ضريبة', '业务', 'エンジン', '엔진'].map((name) => ({ ...engine, product_name: name }));
    press.send(samplePdf({ lines }));
    const [printed] = (await once(press, 'message')) as [{ pdf?: Uint8Array; error?: unknown }];
    expect(printed.error).toBeUndefined();
    const fonts = await fontNamesOf(printed.pdf!);
    for (const font of ['NotoSansArabic', 'NotoSansHans', 'NotoSansJP', 'NotoSansKR'])
      expect(fonts.some((name) => name.startsWith(font))).toBe(true);
  } finally {
    press.kill('SIGKILL');
  }
});

test('the same sources make the same image', async () => {
  const { app } = await imageOf('gateway');
  const again = await buildImage(root, 'gateway', join(directory, 'again'));
  const files = (folder: string) =>
    globSync('**', { cwd: folder, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .toSorted()
      .map((file) => [file.slice(folder.length), readFileSync(file, 'base64url'), statSync(file).mtimeMs]);
  expect(files(again.app)).toEqual(files(app));
});

test('the images of platform, crm and the gateway serve requests and run commands', async () => {
  const folders: Record<string, string> = {};
  for (const name of ['platform', 'crm', 'gateway']) folders[name] = (await imageOf(name)).cwd;
  const images = await runImages(folders, join(directory, 'running'));
  try {
    const words = ['create', '--name', 'Acme', '--owner', 'ada@example.com', '--plan', 'enterprise'];
    const created = images.command('platform', 'workspace', ...words);
    expect(created).toMatchObject({ status: 0, stderr: '' });
    const [, token = ''] = /#accept_invitation=([\w-]+)/.exec(created.stdout) ?? [];
    const owner = await acceptInvitation({ gateway: images.url }, 'ada@example.com', token);
    // crm creates the pipeline when it receives the event of platform.
    await waitUntil('crm has created a pipeline', async () => (await owner.get('/api/pipelines')).body.data.length > 0);
    const lead = await owner.post('/api/lead/create', { name: 'Grace Hopper' });
    expect(lead.status).toBe(201);
    expect((await owner.get('/api/leads?q=Grace')).body.data).toMatchObject([{ id: lead.body.data.id }]);
    for (const path of ['/api/version', '/openapi.json', '/docs', '/docs/scalar.js', '/docs/errors'])
      expect({ path, status: (await fetch(`${images.url}${path}`)).status }).toEqual({ path, status: 200 });
    const outcomes = [
      images.command('platform', 'plans', 'list'),
      images.command('platform', 'white-label', 'create', 'Northwind', '--domain', 'northwind.example'),
      images.command('crm', 'dead-letters', 'list'),
      images.command('platform', 'rotate-keys'),
      images.command('crm', 'migrate', '.'),
      images.command('platform', 'rotate-signing-key', 'platform', '--keys', join(directory, 'running/keys')),
    ];
    expect(outcomes.map(({ stderr }) => stderr)).toEqual(outcomes.map(() => ''));
    expect(outcomes.map(({ stdout }) => stdout)).toEqual([
      expect.stringContaining('enterprise'),
      expect.stringContaining('White-label instance "Northwind" is ready'),
      '[]\n',
      expect.stringContaining('the master key is 002'),
      'Nothing to apply.\n',
      expect.stringContaining('Step 1 of 3'),
    ]);
    expect(images.command('crm', 'migrate', 'services/crm')).toEqual({
      status: 1,
      stdout: '',
      stderr: 'services/crm contains no migrations. Enter the folder of a service.\n',
    });
    expect(images.command('platform', 'rotate-keys', '--help').stdout).toContain('Usage: npm run rotate-keys');
    expect(await images.stop()).toEqual({ platform: 0, crm: 0, gateway: 0 });
  } finally {
    await images.end();
  }
}, 300_000);
