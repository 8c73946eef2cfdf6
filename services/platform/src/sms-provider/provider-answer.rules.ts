/** Answers and reports of text-message providers, read by the paths that a user has set. */
import { isPassing } from '@suite/outgoing';
import { foreignText } from '../integrations/foreign-text.ts';
import { isRefusal } from '../integrations/integration.rules.ts';
import type { FailedAttempt } from '../integrations/delivery.ts';

/** The value at a path such as `messages.0.id`; undefined where there is none. */
export function readPath(value: unknown, path: string): unknown {
  let found = value;
  for (const step of path.split('.')) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, step)) return undefined;
    found = (found as Record<string, unknown>)[step];
  }
  return found;
}

/** A value that names something, as text. */
export const asWord = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? foreignText(String(value), 200) || undefined : undefined;

/** Whether an answer says by `path` (true, a number but 0, or text) or by `path=value` that a message was taken. */
export function isSuccess(answer: unknown, success_path: string): boolean {
  const [path = '', ...rest] = success_path.split('=');
  const found = readPath(answer, path.trim());
  return rest.length > 0 ? String(found) === rest.join('=').trim() : Boolean(found) && found !== 'false';
}

/** The result of handing a message to a provider. */
export type Handover =
  | { provider_id: string | null; failure?: undefined }
  | (FailedAttempt & { provider_id?: undefined });

const failed = (code: string, message: string, status: number, passing = false): Handover => ({
  failure: { code, message, status },
  passing,
});

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Reads the meaning of a provider's answer. */
export function readAnswer(
  { id_path, success_path }: { id_path: string | null; success_path: string | null },
  { status, text }: { status: number; text: string },
): Handover {
  if (isRefusal(status)) return failed('credentials_refused', 'The provider refuses the credentials.', status);
  if (isPassing(status)) return failed('provider_busy', `The provider answers with ${status}.`, status, true);
  if (status < 200 || status > 299) return failed('provider_refused', `The provider answers with ${status}.`, status);
  const answer = id_path || success_path ? parsed(text) : undefined;
  if (success_path && !isSuccess(answer, success_path))
    return failed('not_accepted', 'The answer of the provider does not say that the message was taken.', status);
  return { provider_id: (id_path && asWord(readPath(answer, id_path))) || null };
}

const DELIVERED = ['delivered', 'delivrd', 'success', 'received', 'read'];
const FAILED = [
  'failed',
  'failure',
  'undelivered',
  'undeliv',
  'rejected',
  'rejectd',
  'expired',
  'error',
  'deleted',
  'unknown',
];

/** Reads what a provider's word says of a message: further words, such as "buffered", say nothing new. */
export function readStatus(word: string): 'deliver' | 'fail' | undefined {
  const folded = word.toLowerCase();
  if (DELIVERED.includes(folded)) return 'deliver';
  return FAILED.includes(folded) ? 'fail' : undefined;
}
