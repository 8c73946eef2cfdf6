/** The files of one process's image, in the layers in which they change: fonts, then libraries, then code. */
import { cpSync, globSync, mkdirSync, readFileSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fontFiles as chartFonts } from '@suite/charts/fonts';
import { fontFiles as pdfFonts } from '@suite/pdf/fonts';
import { processes } from '../local/src/processes.ts';
import { billOfMaterials } from './bill-of-materials.ts';
import { type Bundle, bundle } from './bundle.ts';
import { copyFiles, describingFiles, nativeFiles, packageOf, resolvedFiles } from './libraries.ts';
import { COPIES } from './references.ts';
import { closure } from './workspaces.ts';

/** The layers of an image, as folders of the target. Each is copied to `/app`. */
export const LAYERS = ['fonts', 'libraries', 'code'] as const;

/** The folders at which volumes are mounted. The image creates them, because a new volume takes over their owner. */
export const VOLUMES = ['nats-users', 'files', 'mail', ...processes.map(({ name }) => `keys/${name}`)];
/** All files have the same time, so that the same contents are the same layer. */
const SAME_TIME = new Date('2000-01-01T00:00:00Z');

/** The contents of an image. */
export interface ImageContents {
  bundle: Bundle;
  /** Paths of the files in each layer, relative to `/app`. */
  layers: Record<(typeof LAYERS)[number], string[]>;
}

/** Returns the programs of an image by their names: the process, and the commands for operators. */
function programsOf(root: string, folder: string, folders: readonly string[]): Record<string, string> {
  const main = { main: `${folder}/src/main.ts` };
  if (folder === 'gateway') return main;
  const commands = folders
    .flatMap((each) => globSync(`${each}/src/cli/*.help.txt`, { cwd: root }))
    .map((help) => help.replace(/\.help\.txt$/, '.ts'));
  return {
    ...main,
    migrate: 'packages/migrations/src/migrate.ts',
    ...Object.fromEntries(commands.map((file) => [basename(file, '.ts'), file])),
    prepare: 'deploy/docker/prepare.ts',
    'rotate-signing-key': 'deploy/local/src/cli/rotate-signing-key.ts',
  };
}

/** Returns the fonts that the code of a bundle reads. */
function fontsOf({ modules }: Bundle): string[] {
  const files = [
    ...(modules.includes('packages/pdf/src/fonts.ts') ? pdfFonts : []),
    ...(modules.includes('packages/charts/src/fonts.ts') ? chartFonts : []),
  ];
  return [...files, ...[...new Set(files.map(packageOf))].flatMap(describingFiles)];
}

/** Copies the files that the code reads to the folder of the bundle. @throws Error if one does not exist */
function copyReads(root: string, { reads }: Bundle, target: string): void {
  for (const pattern of new Set(reads)) {
    const found = globSync(pattern, { cwd: root });
    if (found.length === 0) throw new Error(`The code reads ${pattern}, which does not exist: run npm run generate.`);
    for (const path of found) cpSync(join(root, path), join(target, COPIES, path), { recursive: true });
  }
}

/** Writes the bundle, the migrations and the descriptions of an image. */
function writeCode(root: string, folder: string, made: Bundle, target: string): void {
  const own = join(target, folder, 'dist');
  mkdirSync(own, { recursive: true });
  for (const { name, contents } of made.files) writeFileSync(join(own, name), contents);
  copyReads(root, made, own);
  for (const sql of globSync(`${folder}/prisma/**/*.sql`, { cwd: root })) cpSync(join(root, sql), join(target, sql));
  const { name, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Record<string, string>;
  writeFileSync(join(target, 'package.json'), `${JSON.stringify({ name, version, private: true, type: 'module' })}\n`);
}

/** Gives all files and folders the same time, and returns the paths of the files. */
function settle(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const paths = entries.map((entry) => join(entry.parentPath, entry.name));
  for (const path of [folder, ...paths]) utimesSync(path, SAME_TIME, SAME_TIME);
  return paths.filter((_, at) => entries[at]!.isFile()).map((path) => path.slice(folder.length + 1));
}

/**
 * Writes the files of an image: `<target>/volumes`, `<target>/fonts`, `<target>/libraries` and `<target>/code`.
 * @param root the repository, with everything installed and generated
 * @param folder the process: `gateway`, `services/crm` and so on
 * @throws Error of one sentence if the image would lack a file that the code reads
 */
export async function writeImage(root: string, folder: string, target: string): Promise<ImageContents> {
  const folders = closure(root, folder);
  const made = await bundle(root, folders, programsOf(root, folder, folders));
  const fonts = fontsOf(made);
  const libraries = [
    ...made.native.flatMap(({ name, from }) => nativeFiles(name, from)),
    ...made.resolved.flatMap(({ name, from }) => resolvedFiles(name, from)),
  ].filter((file) => !fonts.includes(file));
  const misplaced = [...fonts, ...libraries].find((file) => !file.startsWith(join(root, 'node_modules/')));
  if (misplaced) throw new Error(`${misplaced} is not in node_modules of the root: use one version of its package.`);
  for (const volume of VOLUMES) mkdirSync(join(target, 'volumes', volume), { recursive: true });
  settle(join(target, 'volumes'));
  for (const layer of LAYERS) mkdirSync(join(target, layer), { recursive: true });
  copyFiles(root, fonts, join(target, 'fonts'));
  copyFiles(root, libraries, join(target, 'libraries'));
  const code = join(target, 'code');
  writeCode(root, folder, made, code);
  const bundled = made.modules
    .filter((path) => path.includes('node_modules/'))
    .map((path) => packageOf(join(root, path)));
  const packages = [...bundled, ...[...fonts, ...libraries].map(packageOf)];
  writeFileSync(join(code, 'sbom.cdx.json'), billOfMaterials(root, `suite-${basename(folder)}`, packages));
  const layers = Object.fromEntries(LAYERS.map((layer) => [layer, settle(join(target, layer))]));
  return { bundle: made, layers: layers as ImageContents['layers'] };
}

if (import.meta.main) {
  const [folder, target] = process.argv.slice(2);
  try {
    if (!folder || !target)
      throw new Error('Usage: node deploy/images/image.ts <folder of the process> <target folder>');
    await writeImage(dirname(dirname(dirname(fileURLToPath(import.meta.url)))), folder, target);
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  }
}
