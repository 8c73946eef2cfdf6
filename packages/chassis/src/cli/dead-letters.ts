/** Command-line program for operators: lists and replays the dead letters of a service. */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { z } from 'zod';
import {
  awaitReplay,
  isEvent,
  listDeadLetters,
  type DeadLetter,
  type Replay,
  replayDeadLetters,
  type DeadLetterFilter,
} from '../messaging/dead-letters.ts';
import { readSettings } from '../runtime/config.ts';

const serviceOf = (consumer: string): string => consumer.slice(0, consumer.indexOf('.'));

/** Returns the possible actions on a dead letter. */
function replayHint(message: DeadLetter): string {
  const { consumer, event_id, reason } = message;
  const replay = `npm run dead-letters -- ${serviceOf(consumer)} replay ${consumer}`;
  if (!isEvent(message)) return 'This message is not an event and cannot be replayed. Find its publisher.';
  if (reason.startsWith('An earlier event')) return `Replay all dead letters of this consumer, in order: ${replay}`;
  return `Put right what the reason names, then replay it: ${replay} ${event_id}`;
}

/** Separate file, so that it can be printed before any installation (scripts/operator.mjs). */
const usage = () => readFileSync(new URL('./dead-letters.help.txt', import.meta.url), 'utf8').trim();

/** Wrong arguments. The message is a sentence. */
class Misuse extends Error {}

function parseCommand(words: string[]) {
  const options = { help: { type: 'boolean' }, wait: { type: 'string', default: '30' } } as const;
  const { values, positionals } = (() => {
    try {
      return parseArgs({ args: words, options, allowPositionals: true });
    } catch (error) {
      throw new Misuse((error as Error).message.split('. ')[0]);
    }
  })();
  const [verb, consumer, event_id, ...more] = positionals;
  if (values.help || words.length === 0) return 'help';
  if (verb !== 'list' && verb !== 'replay')
    throw new Misuse(`Unknown command "${verb ?? ''}". Use \`list\` or \`replay\`.`);
  if (more.length > 0) throw new Misuse(`Unexpected argument "${more.join(' ')}".`);
  if (consumer !== undefined && !/^\w+\.[\w-]+$/.test(consumer))
    throw new Misuse(`"${consumer}" is not the name of a consumer, as in crm.copy-created-user.`);
  if (event_id !== undefined && !z.uuid().safeParse(event_id).success)
    throw new Misuse(`"${event_id}" is not an event ID. \`list\` shows them as \`event_id\`.`);
  if (!/^[1-9]\d{0,3}$/.test(values.wait)) throw new Misuse('--wait must be a whole number of seconds from 1 to 9999.');
  return { verb, consumer, event_id, wait_s: Number(values.wait) };
}

function formatOutcome({ consumer, event_id, outcome, reason }: Replay, wait_s: number): string {
  if (outcome === 'failed again') return `${consumer} ${event_id}: failed again: ${reason}`;
  if (outcome === 'processed') return `${consumer} ${event_id}: processed`;
  return `${consumer} ${event_id}: not delivered within ${wait_s} s; queued until ${serviceOf(consumer)} processes it`;
}

async function replay(pool: pg.Pool, which: DeadLetterFilter, wait_s: number): Promise<boolean> {
  const messages = await replayDeadLetters(pool, which);
  if (messages.length === 0) {
    console.log(
      `There are no dead letters${which.consumer ? ` for ${[which.consumer, which.event_id].filter(Boolean).join(' ')}` : ''}.`,
    );
    return which.consumer === undefined;
  }
  const outcomes = await awaitReplay(pool, messages, wait_s * 1_000);
  for (const outcome of outcomes) console.log(formatOutcome(outcome, wait_s));
  const taken = outcomes.filter(({ outcome }) => outcome === 'processed').length;
  console.log(`${taken} of ${outcomes.length} events processed.`);
  return taken === outcomes.length;
}

/**
 * Runs the command. `node dead-letters.ts list [consumer] [event id]` shows the dead letters. `node dead-letters.ts
 * replay …` processes them again.
 */
async function program(words: string[]): Promise<boolean> {
  const asked = parseCommand(words);
  if (asked === 'help') {
    console.log(usage());
    return words.length > 0;
  }
  const { DATABASE_URL } = readSettings({ DATABASE_URL: z.url() });
  const pool = new pg.Pool({
    connectionString: DATABASE_URL,
    max: 1,
    connectionTimeoutMillis: 5_000,
    query_timeout: 15_000,
    options: '-c timezone=UTC',
  });
  pool.on('error', () => undefined);
  try {
    if (asked.verb === 'replay') return await replay(pool, asked, asked.wait_s);
    const messages = await listDeadLetters(pool, asked);
    console.log(
      JSON.stringify(
        messages.map((message) => ({ ...message, remedy: replayHint(message) })),
        undefined,
        2,
      ),
    );
    return true;
  } catch (error) {
    const { message, code } = error as Error & { code?: string };
    throw new Error(`The database could not be read: ${message || code}.`, { cause: error });
  } finally {
    await pool.end();
  }
}

try {
  process.exitCode = (await program(process.argv.slice(2))) ? 0 : 1;
} catch (error) {
  const { message } = error as Error;
  console.error(error instanceof Misuse ? `${message} See npm run dead-letters -- --help.` : message);
  process.exitCode = 1;
}
