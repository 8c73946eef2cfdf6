/**
 * References of a module relative to itself: programs that it starts, files that it reads and libraries that it loads late.
 * A bundle moves modules to another folder, so each such reference is found here and rewritten.
 */
import { basename, dirname, join, relative } from 'node:path';

/** A module with rewritten references, and what they refer to. */
export interface RewrittenModule {
  text: string;
  /** Files, folders and patterns that the module reads, relative to the root. */
  files: string[];
  /** Packages' files that the module looks up, such as a font or a WebAssembly module. */
  resolved: string[];
}

/** Takes the place of `import.meta.main` until everything else is checked. */
const MAIN = 'IS_MAIN_PROGRAM';
/** Folder of the copied files, next to the bundle. */
export const COPIES = 'files';

const OWN_URL = /new URL\(\s*(?:'([^']+)'|`([^`]+)`),\s*import\.meta\.url,?\s*\)/g;
const LATE_LIBRARY = /(?<=\brequire\(|createRequire\(import\.meta\.url\)\()'([^'./][^']*)'(?=\))/g;
const LOOK_UP = /(?:\brequire|createRequire\(import\.meta\.url\))\s*\.resolve\(\s*(['"])([^'"]+)\1\s*\)/g;
const loadsLate = (text: string): boolean => text.includes('createRequire(import.meta.url)');
/** Prisma's client sets a global variable that nothing reads. */
const UNUSED_DIRECTORY = /^globalThis\['__dirname'\] = .*$/m;

/** Returns the name of a program in a bundle: `press` for `packages/pdf/src/press.ts`. */
export const programName = (file: string): string => basename(file, '.ts');

/** Returns the name of the bundle's file with a library that is loaded late. */
export const libraryName = (library: string): string => `library-${library.replaceAll(/\W+/g, '-')}`;

/** Returns the programs and libraries that the text of a module names. @param path the module, relative to the root */
export function findPrograms(text: string, path: string): { programs: string[]; libraries: string[] } {
  const programs = [...text.matchAll(OWN_URL)].flatMap(([, file]) =>
    file?.endsWith('.ts') ? [join(dirname(path), file)] : [],
  );
  const libraries = loadsLate(text) ? [...text.matchAll(LATE_LIBRARY)].map(([, library]) => library!) : [];
  return { programs, libraries };
}

/** Returns the path of a copied file or pattern, and the expression that reads it from the folder of the bundle. */
function copyOf(path: string, spelled: string): { pattern: string; expression: string } {
  const fixed = spelled.split('${')[0]!;
  const folder = fixed.slice(0, fixed.lastIndexOf('/') + 1);
  const target = relative('.', join(dirname(path), folder));
  const rest = spelled.slice(folder.length);
  const copied = ['.', COPIES, ...(target ? [target] : []), rest].join('/');
  return {
    pattern: join(target, rest.replaceAll(/\$\{[^}]*\}/g, '*')),
    expression: `new URL(\`${copied}\`, import.meta.url)`,
  };
}

/**
 * Rewrites the references of a module for a bundle, whose files are all in one folder.
 * @param path the module, relative to the root
 * @param program the name of the program whose file this is, if it is one
 * @throws Error of one sentence for a reference that cannot be rewritten
 */
export function rewrite(text: string, path: string, program: string | undefined): RewrittenModule {
  const files: string[] = [];
  // A module can be part of a chunk that several programs share, so the program's own file identifies it.
  const isMain = program ? `(process.argv[1] === \`\${import.meta.dirname}/${program}.js\`)` : 'false';
  const moved = text
    .replace(UNUSED_DIRECTORY, '')
    .replaceAll(OWN_URL, (_, file?: string, pattern?: string) => {
      if (file?.endsWith('.ts')) return `new URL('./${programName(file)}.js', import.meta.url)`;
      const copy = copyOf(path, file ?? pattern ?? '');
      files.push(copy.pattern);
      return copy.expression;
    })
    .replaceAll('import.meta.main', MAIN);
  const complete = (checked: string) => assertComplete(checked, path).replaceAll(MAIN, isMain);
  if (!loadsLate(text)) return { text: complete(moved), files, resolved: [] };
  const resolved = [...text.matchAll(LOOK_UP)].map(([, , name]) => name!);
  const late = moved.replaceAll(LATE_LIBRARY, (_, library: string) => `'./${libraryName(library)}.js'`);
  return { text: complete(late), files, resolved };
}

/** The thread that imports the module which its parent names by a rewritten URL. */
const IMPORTS_BY_URL = 'packages/bounded-work/src/worker.ts';
const KNOWN = /new URL\([`'][^`']*[`'], import\.meta\.url\)|createRequire\(import\.meta\.url\)/g;
const OWN_FOLDER = /^.*(?:\bimport\.meta\b|\b__dirname\b|\b__filename\b).*$/m;
const COMPUTED_IMPORT = /^.*\bimport\(\s*[^\s'"].*$/m;

/** @throws Error if a reference is left that this module does not understand */
function assertComplete(text: string, path: string): string {
  const [file] = OWN_FOLDER.exec(text.replaceAll(KNOWN, '')) ?? [];
  if (file)
    throw new Error(
      `${path} reads a file that the bundle would not contain (${file.trim()}): write new URL('./<file>', import.meta.url) with a literal path.`,
    );
  const [module] = (path !== IMPORTS_BY_URL && COMPUTED_IMPORT.exec(text)) || [];
  if (module)
    throw new Error(
      `${path} imports a module that the bundle would not contain (${module.trim()}): write import('<module>') with a literal name.`,
    );
  return text;
}
