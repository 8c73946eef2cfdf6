import { parseArgs } from 'node:util';

/** Ends a command with a sentence about a wrong argument. */
export function refuse(command, sentence) {
  console.error(`${sentence} See ${command} -- --help.`);
  process.exit(2);
}

/** Returns the error in the arguments as a sentence. Drops the advice about dashes that Node adds. */
function errorSentence({ message }) {
  const [first] = message.split(/\.\s|\n/);
  return `${first.replace(/\.$/, '')}.`;
}

/**
 * Reads the arguments of a command. `--help` prints the help and exits. An unknown argument exits with one sentence.
 * Call this first, so that nothing is installed or started before.
 * @param options as `parseArgs` of Node takes them
 * @param most maximum number of arguments in addition to the options
 */
export function parseArguments({ command, help, options = {}, most = 0 }, words = process.argv.slice(2)) {
  if (words.includes('--help') || words.includes('-h')) {
    console.log(help.trim());
    process.exit(0);
  }
  try {
    const read = parseArgs({ args: words, options, allowPositionals: true });
    if (read.positionals.length <= most) return read;
    refuse(command, `Unexpected argument "${read.positionals[most]}".`);
  } catch (error) {
    refuse(command, errorSentence(error));
  }
}

/** Parses a whole number from an argument, or ends the command. */
export function parseWholeNumber(command, name, text) {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  return refuse(command, `${name} must be a whole number, not "${text}".`);
}
