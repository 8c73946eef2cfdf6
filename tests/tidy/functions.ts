import { baseName, file, type Rule, type SourceFile, type Violation } from './rule.ts';

/**
 * Functions from migrations that are older than function files. Applied migrations do not change. The latest text of
 * each function is in its file, and replaces the one of the migration.
 */
const MADE_BY_MIGRATIONS: Readonly<Record<string, readonly string[]>> = {
  'services/crm/prisma/migrations/20261121000000_init/migration.sql': ['discard_file'],
  'services/crm/prisma/migrations/20261122071550_lists/migration.sql': ['users_changed'],
  'services/crm/prisma/migrations/20261122071950_begins_anew/migration.sql': ['suite_uuid7'],
  'services/finance/prisma/migrations/20261121000000_init/migration.sql': [
    'ledger_line_text',
    'ledger_hash',
    'period_lock_of',
    'ledger_post',
    'ledger_check',
    'ledger_period',
    'ledger_keep',
  ],
  'services/platform/prisma/migrations/20261122110000_redact_audit/migration.sql': ['redact_audit_of_user'],
};

const MIGRATION = /^(.+\/prisma)\/migrations\/[^/]+\/migration\.sql$/;
const FUNCTION_FILE = /^(.+\/prisma)\/functions\/[^/]+\.sql$/;
const CREATED =
  /\bcreate\s+(?:or\s+replace\s+)?(?:function|procedure|aggregate)\s+(?!pg_temp\.)(?:"?public"?\.)?"?(\w+)/gi;

const DROPPED = (name: string) => new RegExp(`\\bdrop\\s+function\\s+(if\\s+exists\\s+)?"?${name}\\b`, 'i');

const folderOf = (path: string, pattern: RegExp): string | undefined => pattern.exec(path)?.[1];
const nameOf = (path: string): string => baseName(path).replace(/\.sql$/, '');
/** Returns the statements without comments. The line numbers stay the same. */
const statements = ({ text }: SourceFile): string => text.replaceAll(/--.*$/gm, '');
const lineAt = (text: string, index: number): number => text.slice(0, index).split('\n').length;

const made: Rule = {
  name: 'a migration creates no function',
  check: (files) =>
    files
      .filter(({ path }) => MIGRATION.test(path))
      .flatMap((source) =>
        [...statements(source).matchAll(CREATED)]
          .filter(([, name]) => !MADE_BY_MIGRATIONS[source.path]?.includes(name!.toLowerCase()))
          .map(({ 1: name, index }) => ({
            path: source.path,
            line: lineAt(statements(source), index),
            message: `write ${name} into prisma/functions/${name}.sql, and its trigger, too (CREATE OR REPLACE TRIGGER): it is applied after the migrations, and again when it changes`,
          })),
      ),
  broken: [
    'CREATE FUNCTION bonus() RETURNS int LANGUAGE sql AS $$ SELECT 1 $$;\n',
    'create or replace\nprocedure public.pay() LANGUAGE sql AS $$ SELECT 1 $$;\n',
    'DO $do$ BEGIN EXECUTE $$CREATE OR REPLACE FUNCTION "bonus"() RETURNS int$$; END $do$;\n',
  ].map((text) => [file('services/hr/prisma/migrations/2_bonus/migration.sql', text)]),
};

const called: Rule = {
  name: 'a migration calls no function of prisma/functions',
  check(files) {
    const functions = files.filter(({ path }) => FUNCTION_FILE.test(path));
    return files
      .filter(({ path }) => MIGRATION.test(path) && !(path in MADE_BY_MIGRATIONS))
      .flatMap((source) => {
        const ours = functions.filter(({ path }) => folderOf(path, FUNCTION_FILE) === folderOf(source.path, MIGRATION));
        const text = statements(source);
        return ours.flatMap(({ path }): Violation[] => {
          const index = text.search(new RegExp(`\\b${nameOf(path)}"?\\s*\\(`, 'i'));
          const message = `${nameOf(path)} is made after the migrations, so a new database lacks it here: write what is needed into the migration`;
          return index < 0 ? [] : [{ path: source.path, line: lineAt(text, index), message }];
        });
      });
  },
  broken: [
    [
      file('services/hr/prisma/functions/bonus.sql', '-- Pays.\nCREATE OR REPLACE FUNCTION bonus() …'),
      file('services/hr/prisma/migrations/2_more/migration.sql', 'UPDATE salaries SET amount = bonus();\n'),
    ],
  ],
};

const described: Rule = {
  name: 'a file of prisma/functions describes its function, and creates no other one',
  check: (files) =>
    files
      .filter(({ path }) => FUNCTION_FILE.test(path))
      .flatMap((source): Violation[] => {
        const names = [...statements(source).matchAll(CREATED)].map(([, name]) => name);
        const isOneOfItsName = names.length === 1 && names[0] === nameOf(source.path);
        const isReplaced = /\bCREATE OR REPLACE FUNCTION\b/.test(source.text);
        const problems = [
          source.text.startsWith('-- ') ? '' : 'begin with what the function does, what it rejects, and why it is SQL',
          isOneOfItsName && isReplaced ? '' : 'write one CREATE OR REPLACE FUNCTION, with the name of the file',
        ];
        return problems.filter(Boolean).map((message) => ({ path: source.path, message }));
      }),
  broken: [
    'CREATE OR REPLACE FUNCTION bonus() RETURNS int LANGUAGE sql AS $$ SELECT 1 $$;\n',
    '-- Pays.\nCREATE FUNCTION bonus() RETURNS int LANGUAGE sql AS $$ SELECT 1 $$;\n',
    '-- Pays.\nCREATE OR REPLACE FUNCTION reward() RETURNS int LANGUAGE sql AS $$ SELECT 1 $$;\n',
  ].map((text) => [file('services/hr/prisma/functions/bonus.sql', text)]),
};

const isDropped = (files: readonly SourceFile[], name: string): boolean =>
  files.some((source) => MIGRATION.test(source.path) && DROPPED(name).test(statements(source)));

const moved: Rule = {
  name: 'every function that a migration created has its file, unless a later one drops it',
  check(files) {
    const paths = new Set(files.map(({ path }) => path));
    return Object.entries(MADE_BY_MIGRATIONS)
      .filter(([path]) => paths.has(path))
      .flatMap(([path, names]) =>
        names.map((name) => ({ name, target: `${folderOf(path, MIGRATION)}/functions/${name}.sql` })),
      )
      .filter(({ name, target }) => !paths.has(target) && !isDropped(files, name))
      .map(({ name, target }) => ({
        path: target,
        message: `${name} is only in a migration, and migrations must not change`,
      }));
  },
  broken: [[file('services/crm/prisma/migrations/20261121000000_init/migration.sql', '')]],
};

/** Rules for database functions: each is in a file that is applied again when it changes. */
export const functionRules: Rule[] = [made, called, described, moved];
