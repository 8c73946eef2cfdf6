/**
 * For operators: makes workspaces, moves them between plans, locks and unlocks them.
 *
 *     npm run workspace -- create --name "Acme Ltd" --owner olga@acme.example --timezone Europe/Berlin --currency EUR
 */
import { randomUUIDv7 } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { Currency, type Database, Email, Id, Name, NotFound, Zone } from '@suite/chassis';
import { z } from 'zod';
import { freeSlug } from '../identity/across-workspaces.ts';
import { makeLink } from '../mail/one-time-link.ts';
import { byItself, type Db } from '../operations.ts';
import { provisionWorkspace, suspend } from '../workspaces/workspace.ts';
import { changePlan } from '../plans/plan.ts';
import { openPlatformDatabase, runAsProcess, settings } from './config.ts';

/** A file of its own, so that it can be shown before anything is installed (scripts/operator.mjs). */
const usage = () => readFileSync(new URL('./workspace.help.txt', import.meta.url), 'utf8').trim();

const text = { type: 'string' } as const;
const OPTIONS = {
  name: text,
  owner: text,
  'owner-name': text,
  timezone: text,
  currency: text,
  country: text,
  'fiscal-year-start': text,
  plan: text,
  id: text,
} as const;

const Creation = z.strictObject({
  name: Name,
  owner: Email,
  'owner-name': Name.optional(),
  timezone: Zone.default('UTC'),
  currency: Currency.default('EUR'),
  country: z
    .string()
    .regex(/^[A-Z]{2}$/, 'Write a country as its two-letter ISO 3166 code.')
    .optional(),
  'fiscal-year-start': z
    .string()
    .regex(/^(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/, 'Write the first day of the fiscal year as MM-DD.')
    .default('01-01'),
  plan: z.string().default('business'),
});

/** Reads the options of a command. @throws an Error that names the option that is wrong */
function read<S extends z.ZodType>(schema: S, options: object): z.output<S> {
  const { data, error } = schema.safeParse(options);
  if (!error) return data;
  const [{ path, message, code, ...more }] = error.issues as [z.core.$ZodIssue];
  const name = path.length > 0 ? String(path[0]) : (more as { keys?: string[] }).keys?.[0];
  const missing = code === 'invalid_type' && !(String(name) in options);
  throw new Error(
    `--${name}: ${missing ? 'This option is needed.' : code === 'unrecognized_keys' ? 'This command has no such option.' : message}`,
  );
}

interface Place {
  database: Database<Db>;
  public_url: string;
}

const slugOf = (name: string): string =>
  name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '') || 'workspace';

async function create(options: object, { database, public_url }: Place): Promise<string> {
  const { name, owner: email, timezone, currency, country, plan, ...more } = read(Creation, options);
  const slug = await database.read(byItself('cli:workspace'), (db) => freeSlug(db, slugOf(name)));
  const id = randomUUIDv7();
  const link = await database.write(byItself('cli:workspace', id), async (db, emit) => {
    const owner = { name: more['owner-name'] ?? email.split('@')[0]!, email };
    const fiscal_year_start = more['fiscal-year-start'];
    const user_id = await provisionWorkspace(db, emit, {
      id,
      name,
      slug,
      plan,
      timezone,
      currency,
      country,
      fiscal_year_start,
      owner,
    });
    return await makeLink(db, public_url, 'accept_invitation', user_id, email);
  });
  return `Workspace "${name}" is ready: ${id} (${plan}, ${timezone}, ${currency}).\n${email} chooses a password here, once, within seven days:\n${link}`;
}

async function plan(options: object, { database }: Place): Promise<string> {
  const wish = read(z.strictObject({ id: Id, plan: z.string() }), options);
  await database.write(byItself('cli:workspace', wish.id), (db, emit) => changePlan(db, emit, wish.id, wish.plan));
  return `Workspace ${wish.id} has the plan ${wish.plan} now.`;
}

const lock =
  (locked: boolean) =>
  async (options: object, { database }: Place): Promise<string> => {
    const { id } = read(z.strictObject({ id: Id }), options);
    await database.write(byItself('cli:workspace', id), (db, emit) => suspend(db, emit, id, locked));
    return `Workspace ${id} is ${locked ? 'suspended' : 'active'} now.`;
  };

const COMMANDS = { create, plan, suspend: lock(true), resume: lock(false) };

/** Wrong arguments, with a sentence for the operator. */
const misuse = (sentence: string): Error => new Error(`${sentence} See npm run workspace -- --help.`);

function understood(words: string[]) {
  try {
    const { values, positionals } = parseArgs({ args: words, options: OPTIONS, allowPositionals: true });
    const [name = '', ...more] = positionals;
    if (name === '') throw new Error('Say what to do');
    if (!isCommand(name)) throw new Error(`There is no command "${name}"`);
    if (more.length > 0) throw new Error(`"${more.join(' ')}" is one word too many`);
    return { name, values };
  } catch (error) {
    // Node goes on with advice about dashes.
    throw misuse(`${(error as Error).message.split(/\.\s|\n/)[0]}.`);
  }
}

const isCommand = (name: string): name is keyof typeof COMMANDS => Object.hasOwn(COMMANDS, name);

/** Runs the command and returns its report. @throws an Error with a sentence for the operator */
export async function workspaceCommand(words: string[], place: Place): Promise<string> {
  const { name, values } = understood(words);
  try {
    return await COMMANDS[name](values, place);
  } catch (error) {
    const { code, details } = error as { code?: string; details?: { plans?: string[] } };
    if (code === NotFound.code) throw new Error('There is no workspace with this id.', { cause: error });
    if (details?.plans)
      throw new Error(`There is no such plan; there are ${details.plans.join(', ')}.`, { cause: error });
    throw error;
  }
}

/** Does what the words say on a database that is opened for it. */
export async function operate(
  words: string[],
  { PUBLIC_URL: public_url, ...database_settings }: ReturnType<typeof settings>,
): Promise<string> {
  const database = openPlatformDatabase(database_settings);
  try {
    return await workspaceCommand(words, { database, public_url });
  } finally {
    await database.close();
  }
}

if (import.meta.main) {
  await runAsProcess(async () => {
    const words = process.argv.slice(2);
    if (words.includes('--help')) return usage();
    understood(words);
    return await operate(words, settings());
  });
}
