import { parseArgs } from 'node:util';

/** Ends a command with one sentence about what was typed. */
export function refuse(command, sentence) {
  console.error(`${sentence} See ${command} -- --help.`);
  process.exit(2);
}

/** The fault in the words, in a sentence; node's own goes on with advice about dashes. */
function complaint({ message }) {
  const [first] = message.split(/\.\s|\n/);
  return `${first.replace(/\.$/, '')}.`;
}

/**
 * Reads what was typed behind a command. `--help` prints its help and ends it; so does, with one sentence, whatever it
 * does not know. To be called first, so that nothing is installed or started before.
 * @param options as `parseArgs` of Node takes them
 * @param most how many words beside the options there may be
 */
export function readWords({ command, help, options = {}, most = 0 }, words = process.argv.slice(2)) {
  if (words.includes('--help') || words.includes('-h')) {
    console.log(help.trim());
    process.exit(0);
  }
  try {
    const read = parseArgs({ args: words, options, allowPositionals: true });
    if (read.positionals.length <= most) return read;
    refuse(command, `"${read.positionals[most]}" is one word too many.`);
  } catch (error) {
    refuse(command, complaint(error));
  }
}

/** A whole number that was typed, or the command's end. */
export function wholeNumber(command, name, text) {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  return refuse(command, `${name} takes a whole number, not "${text}".`);
}
