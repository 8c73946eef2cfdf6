/**
 * Operator command for workspaces: creates them, changes their plan, suspends and resumes them.
 *
 *     npm run workspace -- create --name "Acme Ltd" --owner olga@acme.example --timezone Europe/Berlin --currency EUR
 */
import { randomUUIDv7 } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Database } from '@suite/chassis/database';
import { NotFound } from '@suite/chassis/faults';
import { Country, Currency, Email, Id, Name, Zone } from '@suite/chassis/fields';
import { z } from 'zod';
import { findFreeSlug } from '../identity/workspaces-of-users/across-workspaces.ts';
import { makeLink } from '../identity/mail/one-time-link.ts';
import { FiscalYearStart } from '../workspaces/workspaces/workspace-fields.schema.ts';
import { withoutCaller, type Db } from '../operations.ts';
import { slugOf } from '../workspaces/workspaces/slug.ts';
import { provisionWorkspace, suspendOrResume } from '../workspaces/workspaces/workspace.ts';
import { assignPlan } from '../entitlements/plans/plan.ts';
import { openPlatformDatabase, runAsProcess, settings } from './config.ts';
import { readOptions, parseCommand } from './operator-command.ts';

/** Separate file, so that it can be printed before any installation (scripts/operator.mjs). */
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
  'week-start': text,
  plan: text,
  trial: { type: 'boolean' },
  'trial-days': text,
  id: text,
} as const;

const CreateOptions = z.strictObject({
  name: Name,
  owner: Email,
  'owner-name': Name.optional(),
  timezone: Zone.default('UTC'),
  currency: Currency.default('EUR'),
  country: Country.optional(),
  'fiscal-year-start': FiscalYearStart.default('01-01'),
  'week-start': z
    .string()
    .regex(/^[1-7]$/, 'Enter a day from 1 (Monday) to 7 (Sunday).')
    .transform(Number)
    .optional(),
  plan: z.string().default('business'),
  trial: z.boolean().default(false),
});

const Days = z
  .string()
  .regex(/^\d{1,3}$/, 'Enter a number of days.')
  .transform(Number);

interface CommandContext {
  database: Database<Db>;
  public_url: string;
}

async function createWorkspace(options: object, { database, public_url }: CommandContext): Promise<string> {
  const {
    name,
    owner: email,
    timezone,
    currency,
    country,
    plan,
    trial: on_trial,
    ...more
  } = readOptions(CreateOptions, options);
  const slug = await database.read(withoutCaller('cli:workspace'), (db) => findFreeSlug(db, slugOf(name)));
  const id = randomUUIDv7();
  const link = await database.write(withoutCaller('cli:workspace', id), async (db, emit) => {
    const owner = { name: more['owner-name'] ?? email.split('@')[0]!, email };
    const fiscal_year_start = more['fiscal-year-start'];
    const user_id = await provisionWorkspace(db, emit, {
      id,
      name,
      slug,
      plan,
      on_trial,
      timezone,
      currency,
      country,
      fiscal_year_start,
      week_start: more['week-start'],
      owner,
    });
    return await makeLink(db, { public_url }, 'accept_invitation', user_id, email);
  });
  return `Workspace "${name}" is ready: ${id} (${plan}, ${timezone}, ${currency}).\n${email} chooses a password here, once, within seven days:\n${link}`;
}

async function plan(options: object, { database }: CommandContext): Promise<string> {
  const input = readOptions(z.strictObject({ id: Id, plan: z.string(), 'trial-days': Days.optional() }), options);
  const assignment = { code: input.plan, trial_days: input['trial-days'] };
  await database.write(withoutCaller('cli:workspace', input.id), (db, emit) =>
    assignPlan(db, emit, input.id, assignment),
  );
  return `Workspace ${input.id} has the plan ${input.plan} now.`;
}

const suspendCommand =
  (locked: boolean) =>
  async (options: object, { database }: CommandContext): Promise<string> => {
    const { id } = readOptions(z.strictObject({ id: Id }), options);
    await database.write(withoutCaller('cli:workspace', id), (db, emit) => suspendOrResume(db, emit, id, locked));
    return `Workspace ${id} is ${locked ? 'suspended' : 'active'} now.`;
  };

const COMMANDS: Record<string, (options: object, context: CommandContext) => Promise<string>> = {
  create: createWorkspace,
  plan,
  suspend: suspendCommand(true),
  resume: suspendCommand(false),
};

const PROGRAM = { program: 'npm run workspace', commands: COMMANDS, options: OPTIONS };

/** Runs the command and returns its report. @throws an Error with one sentence for the operator */
export async function workspaceCommand(words: string[], context: CommandContext): Promise<string> {
  const { name, values } = parseCommand(words, PROGRAM);
  try {
    return await COMMANDS[name]!(values, context);
  } catch (error) {
    const { code, details } = error as { code?: string; details?: { plans?: string[] } };
    if (code === NotFound.code) throw new Error('Workspace not found. Check the ID.', { cause: error });
    if (details?.plans) throw new Error(`Plan not found. Plans: ${details.plans.join(', ')}.`, { cause: error });
    throw error;
  }
}

/** Runs a command on a database that is opened for the command. */
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
    parseCommand(words, PROGRAM);
    return await operate(words, settings());
  });
}
