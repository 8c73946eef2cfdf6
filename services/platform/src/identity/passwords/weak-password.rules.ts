/** Weak passwords: the most common ones, and public facts about their owner. */
import { createRequire } from 'node:module';
import { invalid } from '@suite/chassis/faults';

const require = createRequire(import.meta.url);
let commonPasswords: ReadonlySet<string> | undefined;

/**
 * Returns the most common passwords, from zxcvbn's successor. Loaded when the first password is chosen, because most
 * processes never need the list.
 */
function loadCommonPasswords(): ReadonlySet<string> {
  commonPasswords ??= new Set(require('@zxcvbn-ts/language-common/src/passwords.json') as string[]);
  return commonPasswords;
}

/** Digits and symbols, with the characters from A to Z that they replace. */
const SUBSTITUTIONS: Readonly<Record<string, string>> = {
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
const withoutSubstitutions = (text: string) => text.replaceAll(/[013457@$!]/g, (sign) => SUBSTITUTIONS[sign] ?? sign);
const withoutAffixes = (text: string) => /\p{L}(?:.*\p{L})?/su.exec(text)?.[0] ?? '';

/** Maximum length of a common password, including added digits. */
const LONGEST = 200;

/**
 * Returns true if a password is among the most common ones. Detects repetition, surrounding digits and symbols, and
 * digits or symbols in place of A to Z.
 */
export function isCommon(password: string): boolean {
  if (password.length > LONGEST) return false;
  const plain = password.toLowerCase();
  // A repeated text occurs in its double before the second half.
  const once = plain.slice(0, `${plain}${plain}`.indexOf(plain, 1));
  if ([plain, once, withoutSubstitutions(plain)].some((text) => loadCommonPasswords().has(text))) return true;
  const candidates = [
    withoutAffixes(once),
    withoutAffixes(withoutSubstitutions(withoutAffixes(once))),
    withoutSubstitutions(withoutAffixes(once)),
  ];
  return candidates.some((word) => word.length * 2 >= once.length && loadCommonPasswords().has(word));
}

/** Minimum number of characters outside the owner's name and address. */
const MIN_OWN_CHARACTERS = 8;
const SHORTEST = 4;

const compact = (text: string) => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');

/** Rejects a password that consists of its owner's name or address. @throws ValidationFailed */
export function assertNotOwn(password: string, owner: { name: string; email: string }): void {
  const [local = '', domain = ''] = owner.email.split('@');
  const candidates = [owner.email, local, domain, ...local.split(/[._+-]/), owner.name, ...owner.name.split(/\s+/)].map(
    compact,
  );
  const plain = compact(password);
  const rest = candidates
    .filter((word) => word.length >= SHORTEST)
    .toSorted((one, other) => other.length - one.length)
    .reduce((left, word) => left.replaceAll(word, ''), plain);
  if (rest.length < plain.length && rest.length < MIN_OWN_CHARACTERS)
    throw invalid('password', 'Do not use your name or address as your password.');
}
