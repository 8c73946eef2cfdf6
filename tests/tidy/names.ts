import { baseName, file, isScript, perFile, type Rule } from './rule.ts';

const SUFFIXES = ['api', 'schema', 'rules', 'view', 'rpc', 'test', 'config'];
const FOLDERS = ['utils', 'util', 'helpers', 'helper', 'common', 'misc', 'lib', 'shared'];

/** A consumer file is named after its event: `platform.user-deleted.ts`. */
const eventPrefix = (path: string): number => (/\/consumers\/[^/]+$/.test(path) ? 1 : 0);

/**
 * Returns the words between the name and the extension: `api` of `leads.api.ts`. `app` marks the app's view of a
 * resource.
 */
function suffixes(path: string): string[] {
  const words = baseName(path).replace(/^\./, '').split('.').slice(1, -1);
  return words.slice(eventPrefix(path)).filter((word, index) => !(word === 'app' && words[index + 1] === 'api'));
}

const closed = perFile(
  `a file's suffix is one of ${SUFFIXES.join(', ')}`,
  isScript,
  ({ path }) =>
    suffixes(path)
      .filter((word) => !SUFFIXES.includes(word))
      .map((word) => ({
        path,
        message: `\`.${word}\` is not a suffix: shapes are .schema, operations .api, pure decisions .rules, what is shown .view`,
      })),
  [
    file('services/crm/src/leads/leads.service.ts', 'export {};\n'),
    file('services/crm/src/leads/leads.app.ts', 'export {};\n'),
  ],
);

const kebab = perFile(
  'files and folders are named in kebab-case',
  isScript,
  ({ path }) =>
    path
      .split(/[/.]/)
      .filter((word) => word !== '' && !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(word))
      .map((word) => ({ path, message: `\`${word}\`: use a-z, digits and hyphens` })),
  [
    file('services/crm/src/leads/leadCalls.ts', 'export {};\n'),
    file('services/crm/src/lead_calls/call.ts', 'export {};\n'),
  ],
);

const folders = perFile(
  `no folder is called ${FOLDERS.join(', ')}`,
  () => true,
  ({ path }) =>
    path
      .split('/')
      .slice(0, -1)
      .filter((folder) => FOLDERS.includes(folder))
      .map((folder) => ({
        path,
        message: `\`${folder}/\` is too vague: put the file next to the code it serves, named by its subject`,
      })),
  [file('services/crm/src/utils/money.ts', 'export {};\n'), file('services/crm/lib/x.sql', 'select 1;\n')],
);

/** Checks if a line continues the comment above. Such a line may begin with any word. */
const continuesSentence = (line: string, before = ''): boolean =>
  (/^\s*\/\//.test(line) && /^\s*\/\//.test(before)) || (/^\s*\*/.test(line) && !/^\s*\/\*\*?\s*$/.test(before));

const comments = perFile(
  'no comment begins with a question word',
  (path) => isScript(path) && !path.startsWith('tests/tidy/names'),
  ({ path, text }) =>
    text.split('\n').flatMap((line, index, lines) => {
      const match = /(?:^|\s)(?:\/\*\*?|\/\/|\*)\s+(What|Who|Whoever)\b/.exec(line);
      if (!match || continuesSentence(line, lines[index - 1])) return [];
      return [{ path, line: index + 1, message: `${match[1]}: name the thing, or write subject, verb, object` }];
    }),
  [
    file('services/crm/src/leads/lead.ts', '/** What is left of it. */\nexport const rest = 1;\n'),
    file('services/crm/src/leads/lead.ts', '/**\n * Who may see it.\n */\nexport const seen = 1;\n'),
    file('scripts/start.mjs', 'start(); // Who comes first waits.\n'),
  ],
);

/** Rules for names of files and folders and for the beginning of comments, so that readers find what they look for. */
export const nameRules: Rule[] = [closed, kebab, folders, comments];
