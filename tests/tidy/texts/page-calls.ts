import { file, isScript, type Rule, type SourceFile, type Violation } from '../rule.ts';

const PAGES = new Set(['STYLE.md', 'CONTRIBUTING.md']);

/** Calls on the pages that the code does not declare, each with its origin. */
const EXAMPLES: Readonly<Record<string, string>> = {
  emit: 'argument of every command',
  NUMERIC: 'column type of PostgreSQL',
  to_tsvector: 'function of PostgreSQL',
};

interface PageCall {
  path: string;
  line: number;
  /** Name of the function or method, without the object before it. */
  name: string;
  isMethod: boolean;
}

const CALL = /(?<!\w)((?:\w+\.)*)(\w+)\(/g;

/** Returns the calls in backticks on a page: `fault(409, 'stale')` or `states.can('send')`. */
const callsOn = ({ path, text }: SourceFile): PageCall[] =>
  text.split('\n').flatMap((content, at) =>
    [...content.matchAll(/`([^`]+)`/g)].flatMap(([, code = '']) =>
      [...code.matchAll(CALL)].map(([, object = '', name = '']) => ({
        path,
        line: at + 1,
        name,
        isMethod: object !== '',
      })),
    ),
  );

/** Returns the names of all exported functions and constants, and of all functions of the database. */
function declaredNames(files: readonly SourceFile[]): Set<string> {
  const exported = /^export (?:async )?(?:function|const) (\w+)/gm;
  const inDatabase = /\bFUNCTION "?(\w+)"?\(/g;
  return new Set(
    files.flatMap(({ path, text }) => {
      if (isScript(path)) return [...text.matchAll(exported)].map(([, name = '']) => name);
      return path.endsWith('.sql') ? [...text.matchAll(inDatabase)].map(([, name = '']) => name) : [];
    }),
  );
}

/** Returns true if code calls a method of this name on any object. */
const hasMethod = (files: readonly SourceFile[], name: string): boolean =>
  files.some(({ path, text }) => /\.(?:ts|prisma)$/.test(path) && text.includes(`.${name}(`));

function unknownCalls(files: readonly SourceFile[]): Violation[] {
  const declared = declaredNames(files);
  return files
    .filter(({ path }) => PAGES.has(path))
    .flatMap(callsOn)
    .filter(({ name }) => !Object.hasOwn(EXAMPLES, name))
    .filter(({ name, isMethod }) => (isMethod ? !hasMethod(files, name) : !declared.has(name)))
    .map(({ path, line, name }) => ({
      path,
      line,
      message: `\`${name}(\` is not in the code: write the current name, or declare the example in tests/tidy/texts/page-calls.ts`,
    }));
}

const code = file('packages/chassis/src/operation/operation.ts', 'export function withRoute() {}\nstates.can();\n');

/** Functions are renamed, and the pages that name them are easily forgotten. */
export const pageCalls: Rule = {
  name: 'each call in STYLE.md and CONTRIBUTING.md is in the code',
  check: unknownCalls,
  broken: [
    [code, file('STYLE.md', 'Write `sameAs(list)`.\n')],
    [code, file('CONTRIBUTING.md', 'Write `withRoute(list)`, then `states.may(action)`.\n')],
    // A constant of a test is not a function that others can call.
    [
      code,
      file('services/crm/src/leads/lead.test.ts', 'const together = () => [];\n'),
      file('STYLE.md', 'Write `together(50)`.\n'),
    ],
  ],
};
