/** The code of one process as a few files: everything that it imports, without the parts that nothing uses. */
import { globSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { build, type BuildFailure, type Loader, type Metafile, type Plugin } from 'esbuild';
import { findPrograms, libraryName, programName, rewrite } from './references.ts';

/** Packages with native code. They are copied unchanged. */
export const NATIVE = ['sharp', '@node-rs/argon2', '@resvg/resvg-js'];

/** Modules of other packages that look for files when they run, and why a bundle does not need these. */
const REVIEWED: Readonly<Record<string, string>> = {
  'node_modules/pino/lib/transport.js': 'only for log transports, which no process uses',
  'node_modules/thread-stream/index.js': 'only for log transports, which no process uses',
  'node_modules/@grpc/grpc-js/build/src/channelz.js': 'only for the channelz service, which no process serves',
  'node_modules/@grpc/grpc-js/build/src/orca.js': 'only for load reports, which no process sends',
  'node_modules/@myriaddreamin/typst-ts-web-compiler/pkg/typst_ts_web_compiler.mjs':
    'only without a module: the print process passes the module that it has looked up',
  'node_modules/tweetnacl/nacl-fast.js': "loads Node's own module crypto",
  'node_modules/express/lib/view.js': 'only for templates, which no process renders',
  'node_modules/pluralize/pluralize.js': 'only asks whether there is a function require',
};
/** Packages that code loads if they are installed. None is. */
const OPTIONAL = new Set(['pg-native']);
/** Packages whose modules for Node load each other by computed names, with the modules to bundle instead. */
const ALIASES = { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' };

/** CommonJS modules in the bundle load Node's own modules by `require`. */
const BANNER = `import { createRequire as bundleRequire } from 'node:module';const require = bundleRequire(import.meta.url);`;
const LIBRARY = 'library:';
const OWN_FOLDER = /\b__dirname\b|\b__filename\b|\bimport\.meta\.(?:url|dirname|filename|resolve)\b/;

/** A bundle, and the files that it needs. */
export interface Bundle {
  /** Name and contents of each file. */
  files: { name: string; contents: Uint8Array }[];
  /** Files, folders and patterns that the code reads, relative to the root. They are copied to `files/`. */
  reads: string[];
  /** Packages' files that the code looks up, with the folder of the module that names them. */
  resolved: { name: string; from: string }[];
  /** Native packages that the code imports, with the folder of the module that imports them. */
  native: { name: string; from: string }[];
  /** Modules whose code is part of the bundle, relative to the root. */
  modules: string[];
}

/** Returns the sources of workspace packages without tests, samples and generated code, relative to the root. */
export const sourcesOf = (root: string, folders: readonly string[]): string[] =>
  folders
    .flatMap((folder) => globSync(`${folder}/src/**/*.ts`, { cwd: root }))
    .filter((path) => !/\.test\.ts$|\/(?:demo|fixtures|generated)\//.test(path));

/** Adds the programs that the sources start, and the libraries that they load late. @throws Error for two of one name */
function entriesOf(root: string, folders: readonly string[], programs: Readonly<Record<string, string>>) {
  const entries = new Map(Object.entries(programs));
  const libraries = new Map<string, string>();
  for (const path of sourcesOf(root, folders)) {
    const found = findPrograms(readFileSync(join(root, path), 'utf8'), path);
    for (const file of found.programs) {
      const name = programName(file);
      if ((entries.get(name) ?? file) !== file)
        throw new Error(`${file} and ${entries.get(name)} have the same name: rename one.`);
      entries.set(name, file);
    }
    for (const library of found.libraries) libraries.set(library, dirname(join(root, path)));
  }
  return { entries, libraries };
}

/** Rewrites what modules name relative to themselves, and provides the libraries that are loaded late. */
function rewriting(
  root: string,
  { entries, libraries }: ReturnType<typeof entriesOf>,
  bundle: Pick<Bundle, 'reads' | 'resolved' | 'native'>,
): Plugin {
  const programOf = new Map([...entries].map(([name, file]) => [file, name]));
  return {
    name: 'rewriting',
    setup({ onLoad, onResolve }) {
      onResolve({ filter: /^library:/ }, ({ path }) => ({ path: path.slice(LIBRARY.length), namespace: LIBRARY }));
      onLoad({ filter: /.*/, namespace: LIBRARY }, ({ path }) => ({
        // The name makes `require` return the library itself.
        contents: `const library = require(${JSON.stringify(path)}); export { library as 'module.exports' };`,
        resolveDir: libraries.get(path)!,
      }));
      const native = new RegExp(`^(?:${NATIVE.join('|')})$`);
      onResolve({ filter: native }, ({ path, resolveDir }) => {
        bundle.native.push({ name: path, from: resolveDir });
        return { path, external: true };
      });
      onLoad({ filter: /\.ts$/ }, ({ path }) => {
        const text = readFileSync(path, 'utf8');
        if (!/import\.meta|\bimport\(/.test(text)) return null;
        const own = relative(root, path);
        const rewritten = rewrite(text, own, programOf.get(own));
        bundle.reads.push(...rewritten.files);
        bundle.resolved.push(...rewritten.resolved.map((name) => ({ name, from: dirname(path) })));
        return { contents: rewritten.text, loader: 'ts' satisfies Loader };
      });
    },
  };
}

/** Returns the modules whose code is in the output. */
function modulesOf({ outputs }: Metafile): string[] {
  const used = Object.values(outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? [path] : [])),
  );
  return [...new Set(used)].filter((path) => !path.startsWith(LIBRARY)).toSorted();
}

/** esbuild's name for a `require` that it cannot follow. */
const COMPUTED = '<runtime>';

/** @throws Error of one sentence if code looks for a file or a package that the image would not contain */
function assertComplete(root: string, modules: readonly string[], { inputs }: Metafile): void {
  for (const path of modules) {
    const outside = inputs[path]!.imports.filter(({ external }) => external).map((each) => each.path);
    const unknown = outside.find(
      (name) => name !== COMPUTED && !isBuiltin(name) && !NATIVE.includes(name) && !OPTIONAL.has(name),
    );
    if (unknown)
      throw new Error(`${path} imports ${unknown}, which is not installed: install it, or add it to OPTIONAL.`);
    if (!path.includes('node_modules/') || path in REVIEWED) continue;
    if (!outside.includes(COMPUTED) && !OWN_FOLDER.test(readFileSync(join(root, path), 'utf8'))) continue;
    throw new Error(
      `${path} may look for files that the bundle does not contain: copy them, or add the module to REVIEWED in deploy/images/bundle.ts.`,
    );
  }
}

/**
 * Bundles programs that run in one image. Code that several of them use is shared, and code behind a dynamic import is
 * read when it is needed. Names stay readable in stack traces. The same sources give the same bytes.
 * @param root the repository
 * @param folders the workspace packages of the image, relative to the root
 * @param programs the file of each program by its name, relative to the root
 * @throws Error of one sentence for code that reads a file which the bundle would not contain
 */
export async function bundle(
  root: string,
  folders: readonly string[],
  programs: Readonly<Record<string, string>>,
): Promise<Bundle> {
  const found = entriesOf(root, folders, programs);
  const beside: Pick<Bundle, 'reads' | 'resolved' | 'native'> = { reads: [], resolved: [], native: [] };
  const built = await build({
    absWorkingDir: root,
    entryPoints: {
      ...Object.fromEntries(found.entries),
      ...Object.fromEntries([...found.libraries.keys()].map((name) => [libraryName(name), LIBRARY + name])),
    },
    outdir: join(root, 'dist'),
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    // The conditions of Node itself, so that the bundle contains what `npm start` runs.
    conditions: [],
    alias: ALIASES,
    minifyWhitespace: true,
    minifySyntax: true,
    // The line of an error is printed with it. Without a limit, it would be a file of megabytes.
    lineLimit: 160,
    legalComments: 'none',
    banner: { js: BANNER },
    metafile: true,
    write: false,
    logLevel: 'silent',
    plugins: [rewriting(root, found, beside)],
  }).catch(({ errors, message }: BuildFailure) => {
    throw new Error(errors?.[0]?.text ?? message);
  });
  const modules = modulesOf(built.metafile);
  assertComplete(root, modules, built.metafile);
  const files = built.outputFiles.map(({ path, contents }) => ({ name: relative(join(root, 'dist'), path), contents }));
  return { files, modules, ...beside };
}
