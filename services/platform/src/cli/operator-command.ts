/** Parser of operator commands. An invalid command results in one sentence. */
import { parseArgs, type ParseArgsOptionsConfig } from 'node:util';
import type { z } from 'zod';

/** Name of a command, and the values of its options. */
export interface ParsedCommand {
  name: string;
  values: Record<string, unknown>;
}

/**
 * Parses the words of a command.
 * @param program the command line, such as `npm run workspace`
 * @throws an Error that states the fault
 */
export function parseCommand(
  words: string[],
  { program, commands, options }: { program: string; commands: object; options: ParseArgsOptionsConfig },
): ParsedCommand {
  try {
    const { values, positionals } = parseArgs({ args: words, options, allowPositionals: true });
    const [name = '', ...more] = positionals;
    if (name === '') throw new Error('Enter a command');
    if (!Object.hasOwn(commands, name)) throw new Error(`Unknown command "${name}"`);
    if (more.length > 0) throw new Error(`Unexpected argument "${more.join(' ')}"`);
    return { name, values };
  } catch (error) {
    // Node appends advice about dashes, which is removed.
    const [sentence] = (error as Error).message.split(/\.\s|\n/);
    throw new Error(`${sentence?.replace(/\.$/, '')}. See ${program} -- --help.`, { cause: error });
  }
}

/** Reads the options of a command. @throws an Error that names the invalid option */
export function readOptions<S extends z.ZodType>(schema: S, options: object): z.output<S> {
  const { data, error } = schema.safeParse(options);
  if (!error) return data;
  const [{ path, message, code, ...more }] = error.issues as [z.core.$ZodIssue];
  const name = path.length > 0 ? String(path[0]) : (more as { keys?: string[] }).keys?.[0];
  const missing = code === 'invalid_type' && !(String(name) in options);
  throw new Error(
    `--${name}: ${missing ? 'This option is required.' : code === 'unrecognized_keys' ? 'Unknown option.' : message}`,
  );
}
