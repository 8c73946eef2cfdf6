/**
 * Operator command for white-label instances: creates, suspends and resumes them, and issues tokens.
 *
 *     npm run white-label -- create "Northwind Cloud" --domain northwind.example
 */
import { randomUUIDv7 } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type Database, violatedConstraint } from '@suite/chassis/database';
import { Name } from '@suite/chassis/fields';
import { type Keys, loadKeys } from '@suite/chassis/identity';
import { z } from 'zod';
import { allowReplacement } from '../billing/connect/account.ts';
import { type Mode, webhookSecret } from '../billing/instances/instance.rules.ts';
import { createInstance, enterInstance, issueToken, suspendInstance } from '../billing/instances/instance.ts';
import { withoutCaller, type Db } from '../operations.ts';
import { instanceSettings, openPlatformDatabase, runAsProcess } from './config.ts';
import { readOptions, parseCommand } from './operator-command.ts';

const usage = () => readFileSync(new URL('./white-label.help.txt', import.meta.url), 'utf8').trim();

const OPERATION = 'cli:white-label';
const text = { type: 'string' } as const;
const OPTIONS = { domain: text, mode: text, overlap: text } as const;

const TokenMode = z.enum(['live', 'test'], 'Use `live` or `test`.').default('live');
const Hours = z
  .string()
  .regex(/^\d{1,3}$/, 'Enter whole hours.')
  .transform(Number)
  .refine((hours) => hours <= 168, 'At most 168 hours.')
  .default(24);
const Domain = z
  .string()
  .toLowerCase()
  .regex(/^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/, 'Write a host such as northwind.example.');

const CreateOptions = z.strictObject({ name: Name, domain: Domain, mode: TokenMode });
const TokenOptions = z.strictObject({ name: Name, mode: TokenMode, overlap: Hours });
const InstanceOptions = z.strictObject({ name: Name });
const ReconnectOptions = z.strictObject({ name: Name, mode: TokenMode });

interface CommandContext {
  database: Database<Db>;
  keys: Pick<Keys, 'private_key'>;
}

/** Runs a function on the rows of one instance. */
const withInstance = <T>(
  { database }: CommandContext,
  id: string,
  mode: Mode,
  work: (db: Db) => Promise<T>,
): Promise<T> =>
  database.write(withoutCaller(OPERATION, id), async (db) => {
    await enterInstance(id, mode);
    return await work(db);
  });

async function findInstanceId({ database }: CommandContext, name: string): Promise<string> {
  const found = await database.readEverywhere(withoutCaller(OPERATION), (db) =>
    db.wlInstance.findFirst({ where: { name } }),
  );
  if (!found) throw new Error(`White-label instance "${name}" not found.`);
  return found.id;
}

const formatToken = (token: string, mode: Mode) => `Its ${mode} token, which is shown only once:\n${token}`;

async function createFromOptions(options: object, context: CommandContext): Promise<string> {
  const { name, domain, mode } = readOptions(CreateOptions, options);
  const id = randomUUIDv7();
  const issued = withInstance(context, id, mode, async (db) => {
    await createInstance(db, { id, name, domain });
    return await issueToken(db, id, mode, { overlap_hours: 0 });
  });
  const { token } = await issued.catch((error: unknown) => {
    if (!violatedConstraint(error)?.includes('name')) throw error;
    throw new Error(`A white-label instance "${name}" already exists. Choose another name.`, { cause: error });
  });
  const secret = webhookSecret(context.keys, id, 1);
  return `White-label instance "${name}" is ready: ${id} (${domain}).\n${formatToken(token, mode)}\nIts webhook secret:\n${secret}`;
}

async function token(options: object, context: CommandContext): Promise<string> {
  const { name, mode, overlap } = readOptions(TokenOptions, options);
  const id = await findInstanceId(context, name);
  const issued = await withInstance(context, id, mode, (db) => issueToken(db, id, mode, { overlap_hours: overlap }));
  return `${formatToken(issued.token, mode)}\nThe previous token works until ${issued.old_expires_at.toISOString()}.`;
}

const suspendOrResume =
  (isSuspended: boolean) =>
  async (options: object, context: CommandContext): Promise<string> => {
    const { name } = readOptions(InstanceOptions, options);
    const id = await findInstanceId(context, name);
    await withInstance(context, id, 'live', (db) => suspendInstance(db, id, isSuspended));
    return `White-label instance "${name}" is ${isSuspended ? 'suspended' : 'active'} now.`;
  };

async function reconnect(options: object, context: CommandContext): Promise<string> {
  const { name, mode } = readOptions(ReconnectOptions, options);
  const id = await findInstanceId(context, name);
  const isAllowed = await withInstance(context, id, mode, allowReplacement);
  if (!isAllowed) throw new Error(`White-label instance "${name}" has no disabled ${mode} account.`);
  return `White-label instance "${name}" may connect another ${mode} account now.`;
}

const COMMANDS = {
  create: createFromOptions,
  token,
  suspend: suspendOrResume(true),
  resume: suspendOrResume(false),
  reconnect,
};
const PROGRAM = 'npm run white-label';

/** Returns the command and its options, including the instance name that follows the command. */
function parseParameters(words: string[]): { command: keyof typeof COMMANDS; options: object } {
  const isName = (word: string, at: number) => at === 1 && !word.startsWith('-');
  const name = words.find(isName);
  const rest = words.filter((word, at) => !isName(word, at));
  const { name: command, values } = parseCommand(rest, { program: PROGRAM, commands: COMMANDS, options: OPTIONS });
  if (name === undefined) throw new Error(`Enter the name of the instance. See ${PROGRAM} -- --help.`);
  return { command: command as keyof typeof COMMANDS, options: { ...values, name } };
}

/** Runs the command and returns its report. @throws an Error with one sentence for the operator */
export async function whiteLabelCommand(words: string[], context: CommandContext): Promise<string> {
  const { command, options } = parseParameters(words);
  return await COMMANDS[command](options, context);
}

/** Runs a command on a database that is opened for the command. */
export async function operate(
  words: string[],
  { KEYS_DIR, ...database_settings }: ReturnType<typeof instanceSettings>,
): Promise<string> {
  const database = openPlatformDatabase(database_settings);
  try {
    return await whiteLabelCommand(words, { database, keys: loadKeys('platform', KEYS_DIR) });
  } finally {
    await database.close();
  }
}

if (import.meta.main) {
  await runAsProcess(async () => {
    const words = process.argv.slice(2);
    if (words.includes('--help')) return usage();
    parseParameters(words);
    return await operate(words, instanceSettings());
  });
}
