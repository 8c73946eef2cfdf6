/** Passwords that are guessed first: the most common ones, and what everybody knows of their owner. */
import { createRequire } from 'node:module';
import { invalid } from '@suite/chassis';

const require = createRequire(import.meta.url);
let known: ReadonlySet<string> | undefined;

/**
 * The most common passwords, as zxcvbn's successor keeps them. Read when the first password is chosen: most processes
 * never need the list.
 */
function common(): ReadonlySet<string> {
  known ??= new Set(require('@zxcvbn-ts/language-common/src/passwords.json') as string[]);
  return known;
}

/** Signs that are written for letters. */
const LETTERS: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
};
const spelled = (text: string) => text.replaceAll(/[013457@$!]/g, (sign) => LETTERS[sign] ?? sign);
const core = (text: string) => text.replaceAll(/^[^\p{L}]+|[^\p{L}]+$/gu, '');

/** A common password is shorter, also with digits around it. The expressions below take quadratic time. */
const LONGEST = 200;

/**
 * Whether a password is among the most common ones, also with digits and signs around it or for letters in it, or written
 * several times.
 */
export function isCommon(password: string): boolean {
  if (password.length > LONGEST) return false;
  const plain = password.toLowerCase();
  const once = /^(.+?)\1+$/.exec(plain)?.[1] ?? plain;
  if ([plain, once, spelled(plain)].some((text) => common().has(text))) return true;
  const words = [core(once), core(spelled(core(once))), spelled(core(once))];
  return words.some((word) => word.length * 2 >= once.length && common().has(word));
}

/** How much of a password must be about something else than its owner. */
const OTHERWISE = 8;
const SHORTEST = 4;

const compact = (text: string) => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');

/** Refuses a password that is made of its owner's name or address. @throws ValidationFailed */
export function assertNotOwn(password: string, owner: { name: string; email: string }): void {
  const [local = '', domain = ''] = owner.email.split('@');
  const words = [owner.email, local, domain, ...local.split(/[._+-]/), owner.name, ...owner.name.split(/\s+/)].map(
    compact,
  );
  const plain = compact(password);
  const rest = words
    .filter((word) => word.length >= SHORTEST)
    .toSorted((one, other) => other.length - one.length)
    .reduce((left, word) => left.replaceAll(word, ''), plain);
  if (rest.length < plain.length && rest.length < OTHERWISE)
    throw invalid('password', 'Do not make your password of your name or address.');
}
